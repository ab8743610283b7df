// The rules of chess in the browser, by chessops: positions, moves as people type them, ends, and what is read out.

import { type Position, castlingSide, normalizeMove } from "chessops/chess";
import { chessgroundDests } from "chessops/compat";
import { setupPosition } from "chessops/variant";
import { makeFen, parseFen } from "chessops/fen";
import { makeSan, parseSan } from "chessops/san";
import { type Move, type NormalMove, isNormal } from "chessops/types";
import { kingCastlesTo, makeUci, parseSquare, parseUci } from "chessops/util";
import type { End } from "./wire";

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MOST_HALFMOVES = 100;
const TROUBLES: Record<string, string> = {
  ERR_EMPTY: "the board is empty",
  ERR_KINGS: "each side needs one king",
  ERR_OPPOSITE_CHECK: "the side that has just moved stands in check",
  ERR_PAWNS_ON_BACKRANK: "a pawn stands on a first or last rank",
  ERR_IMPOSSIBLE_CHECK: "no move can have given this check",
  ERR_BOARD: "the board field is no board of eight ranks of eight squares",
  ERR_TURN: "the side to move is neither w nor b",
  ERR_CASTLING: "the castling rights make no sense",
  ERR_EP_SQUARE: "the en passant square is none",
  ERR_HALFMOVES: "the count of halfmoves is no number",
  ERR_FULLMOVES: "the count of moves is no number",
};

/** The position of a FEN; throws an Error whose text says what is wrong with it. */
export function positionOf(fen: string): Position {
  return parseFen(fen)
    .chain((setup) => setupPosition("chess", setup))
    .unwrap(
      (position) => position,
      (error) => {
        throw new Error(`FEN: ${TROUBLES[error.message] ?? error.message}`);
      },
    );
}

/** A start position of Chess960, drawn by lot: bishops on both colours, the king between the rooks. */
export function randomStart(): string {
  const rank: string[] = new Array<string>(8).fill("");
  const draw = (squares: number[], man: string): void => void (rank[squares[Math.floor(Math.random() * squares.length)]] = man);
  const free = (): number[] => [0, 1, 2, 3, 4, 5, 6, 7].filter((file) => !rank[file]);
  draw([0, 2, 4, 6], "b");
  draw([1, 3, 5, 7], "b");
  for (const man of "qnn") draw(free(), man);
  free().forEach((file, index) => (rank[file] = "rkr"[index]));
  const men = rank.join("");
  return `${men}/pppppppp/8/8/8/8/PPPPPPPP/${men.toUpperCase()} w KQkq - 0 1`;
}

export function fenOf(position: Position): string {
  return makeFen(position.toSetup());
}

/** A move as it is told: castling by the king's target, but onto the rook in Chess960. */
export function uciOf(position: Position, move: Move, chess960: boolean): string {
  const side = !chess960 && castlingSide(position, move);
  return side && isNormal(move) ? makeUci({ from: move.from, to: kingCastlesTo(position.turn, side) }) : makeUci(move);
}

/** The legal move that a text in UCI notation tells, in either way of castling. */
export function moveOfUci(position: Position, uci: string): Move | undefined {
  const told = parseUci(uci.toLowerCase());
  if (!told) return undefined;
  const move = normalizeMove(position, told);
  return position.isLegal(move) ? move : undefined;
}

/** The move that a person may mean: nf3, e2-e4, o-o, N f3, e8=Q, e8q; undefined if no legal move, or more than one, fits. */
export function typedMove(position: Position, text: string): Move | undefined {
  const bare = text.replace(/e\.?p\.?$/i, "").replace(/[\s+#!?()=:x×–-]/g, "");
  const zero = /^[o0]{2,3}$/i.test(bare);
  if (zero) return parseSan(position, bare.length === 3 ? "O-O-O" : "O-O");
  const squares = /^([a-h][1-8])([a-h][1-8])([qrbn]?)$/i.exec(bare);
  if (squares) return moveOfUci(position, promoted(position, bare.toLowerCase()));
  const exact = parseSan(position, text.trim());
  if (exact) return exact;
  const said = legalMoves(position).map((move) => ({ move, name: makeSan(position, move).replace(/[+#=x-]/g, "") }));
  const queens = /^[a-h][a-h]?[18]$/.test(bare) ? `${bare}Q` : bare;
  const same = said.filter(({ name }) => name === bare || name === queens);
  const alike = same.length ? same : said.filter(({ name }) => name.toLowerCase() === queens.toLowerCase());
  if (alike.length === 1) return alike[0].move;
  return parseSan(position, bare) ?? parseSan(position, bare.charAt(0).toUpperCase() + bare.slice(1));
}

function promoted(position: Position, uci: string): string {
  const from = parseSquare(uci.slice(0, 2));
  const isPawn = from !== undefined && position.board.getRole(from) === "pawn";
  return isPawn && uci.length === 4 && /[18]$/.test(uci) ? `${uci}q` : uci;
}

export function legalMoves(position: Position): Move[] {
  const found: NormalMove[] = [];
  for (const [from, targets] of position.allDests()) {
    const isPawn = position.board.getRole(from) === "pawn";
    for (const to of targets) {
      if (isPawn && (to < 8 || to >= 56)) {
        for (const promotion of ["queen", "rook", "bishop", "knight"] as const) found.push({ from, to, promotion });
      } else found.push({ from, to });
    }
  }
  return found;
}

/** Where each man may go, for the board. */
export function destsOf(position: Position, chess960: boolean): Map<string, string[]> {
  return chessgroundDests(position, { chess960 });
}

/** The position with the other side to move, or null in check, where nobody may pass. */
export function passed(fen: string): string | null {
  const [board, turn, castling, , half, full] = fen.split(" ");
  const other = `${board} ${turn === "w" ? "b" : "w"} ${castling} - ${half} ${full}`;
  return positionOf(fen).isCheck() ? null : other;
}

/** The first four fields of a FEN, which are the same where a position repeats. */
export function placement(fen: string): string {
  return fen.split(" ", 4).join(" ");
}

/** Result and reason of a game that is over, with the FENs that came before; null while it goes on. */
export function endOf(position: Position, before: string[] = []): End | null {
  if (position.isCheckmate()) return { result: position.turn === "white" ? "0-1" : "1-0", why: "checkmate" };
  const here = placement(fenOf(position));
  const why = position.isStalemate() ? "stalemate"
    : position.isInsufficientMaterial() ? "dead material"
    : before.filter((fen) => placement(fen) === here).length >= 2 ? "threefold repetition"
    : position.halfmoves >= MOST_HALFMOVES ? "the fifty-move rule" : "";
  return why ? { result: "1/2-1/2", why } : null;
}

const NAMES: Record<string, string> = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };

/** A move in words, for those who listen: knight takes f 3, check. */
export function spoken(san: string): string {
  const castling = /^O-O(-O)?/.exec(san);
  const check = san.includes("#") ? ", checkmate" : san.includes("+") ? ", check" : "";
  if (castling) return `castles ${castling[1] ? "long" : "short"}${check}`;
  const body = san.replace(/[+#]/g, "");
  const words = [...body].map((letter) => NAMES[letter] ?? (letter === "x" ? "takes" : letter === "=" ? "becomes" : letter));
  return words.join(" ").replace(/\b([a-h]) ([1-8])\b/g, "$1$2") + check;
}

/** A board in words, White's men first; from the board field of a FEN. */
export function spokenBoard(board: string): string {
  const men: Record<string, string[]> = {};
  board.split("/").forEach((rank, row) => {
    let file = 0;
    for (const sign of rank) {
      if (/[1-8]/.test(sign)) file += Number(sign);
      else (men[sign] ??= []).push(`${"abcdefgh"[file++]}${8 - row}`);
    }
  });
  const side = (letters: string): string =>
    [...letters].filter((letter) => men[letter])
      .map((letter) => `${NAMES[letter.toUpperCase()] ?? "pawn"}${men[letter].length > 1 ? "s" : ""} ${men[letter].join(" ")}`).join(", ");
  return `White: ${side("KQRBNP") || "nothing"}. Black: ${side("kqrbnp") || "nothing"}.`;
}
