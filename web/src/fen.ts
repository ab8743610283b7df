// FEN as people have it: with words before it, in quotes, from an address, as EPD, or the board alone.

const LOOKS = /^[a-z0-9]+(\/[a-z0-9]+){3,}/i;
const HOME = [
  { right: "K", rank: 7, king: "K", rook: "R", file: 7 }, { right: "Q", rank: 7, king: "K", rook: "R", file: 0 },
  { right: "k", rank: 0, king: "k", rook: "r", file: 7 }, { right: "q", rank: 0, king: "k", rook: "r", file: 0 },
];

/** The FEN that a text means, or null if it does not look like one. What it says may still be wrong. */
export function fenIn(text: string): string | null {
  let bare = text.trim();
  if (/^https?:/i.test(bare)) bare = decoded(bare).replace(/^.*?([pnbrqk1-8]+(?:\/[pnbrqk1-8]+){7})/i, "$1");
  bare = bare.replace(/^(position\s+)?(fen|epd)?\s*[:=]?\s*/i, "").replace(/^["'`“„[(\s]+|["'`”\])\s]+$/g, "");
  if (!/\s/.test(bare)) bare = bare.replace(/_/g, " ");
  if (!LOOKS.test(bare)) return null;
  const [board, turn = "w", castling, ep = "-", ...rest] = bare.split(/\s+/);
  const isCount = (word?: string): boolean => /^\d+$/.test(word ?? "");
  const operations = rest.join(" ");
  const half = isCount(rest[0]) ? rest[0] : /\bhmvc (\d+)/.exec(operations)?.[1] ?? "0";
  const full = isCount(rest[1]) ? rest[1] : /\bfmvn (\d+)/.exec(operations)?.[1] ?? "1";
  return [board, turn.toLowerCase(), castling ?? homeRights(board), ep, half, full].join(" ");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The castling rights that kings and rooks on their first squares may have. */
function homeRights(board: string): string {
  const ranks = board.split("/").map((rank) => rank.replace(/\d/g, (digit) => "1".repeat(Number(digit))));
  const found = HOME.filter(({ rank, king, rook, file }) => ranks[rank]?.[4] === king && ranks[rank][file] === rook);
  return found.map(({ right }) => right).join("") || "-";
}
