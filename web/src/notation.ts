// How games are written elsewhere: the letters of other languages, figurines, and marks that are no numbers.

const FIGURINES = ["K", "Q", "R", "B", "N", "", "K", "Q", "R", "B", "N", ""];
const MOVE = /^(?:[KQRBN]?[a-h]?[1-8]?[-x:]?[a-h][1-8](?:=?\(?[QRBNqrbn]\)?)?|[O0o][-–][O0o](?:[-–][O0o])?|--|Z0|0000|@@@@)(?:\+\+?|#)?$/;

/** Marks for positions and moves, as numeric annotation glyphs. */
export const MARKS: Record<string, number> = {
  "=": 10, "∞": 13, "⩲": 14, "+=": 14, "⩱": 15, "=+": 15, "±": 16, "+/-": 16, "∓": 17, "-/+": 17, "+-": 18, "+−": 18, "-+": 19, "−+": 19,
  "□": 7, "⊕": 138, "→": 40, "↑": 36, "⇆": 132, "∆": 140, N: 146, TN: 146,
};

/** What is shown for a glyph; the first six belong to the move itself. */
export const GLYPHS: Record<number, string> = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "+/=", 15: "=/+", 16: "±", 17: "∓", 18: "+−", 19: "−+",
  36: "↑", 40: "→", 44: "=∞", 132: "⇄", 140: "∆", 146: "N",
};

interface Language { name: string; letters: string[]; translate(token: string): string }

function language(name: string, letters: string): Language {
  const own = letters.split(" ");
  const translate = (token: string): string =>
    token.replace(/^(\d+\.+)?([^\sa-h0-9]р?)(?=[a-h1-8x:])/u, (all, number: string | undefined, piece: string) => {
      const index = own.indexOf(piece);
      return index < 0 ? all : `${number ?? ""}${"KQRBN"[index]}`;
    }).replace(/(?<=[a-h][18])=?(\p{L})(?=[+#!?]*$)/u, (all, piece: string) => (own.includes(piece) ? `=${"KQRBN"[own.indexOf(piece)]}` : all));
  return { name, letters: own, translate };
}

/** English first; others are tried where it does not fit. */
export const LANGUAGES: Language[] = [
  { name: "", letters: [..."KQRBN"], translate: (token) => token },
  language("German", "K D T L S"), language("French", "R D T F C"), language("Spanish", "R D T A C"), language("Dutch", "K D T L P"),
  language("Portuguese", "R D T B C"), language("Russian", "Кр Ф Л С К"), language("Polish", "K H W G S"), language("Czech", "K D V S J"),
  language("Hungarian", "K V B F H"), language("Finnish", "K D T L R"), language("Romanian", "R D T N C"),
  { name: "", letters: [..."KQRBNP"], translate: (token) => token.replace(/^(\d+\.+)?P(?=[a-h])/, "$1") }, // Pe4, where P is no Dutch knight
];

/** A token with letters for figurines and one kind of dash and cross. */
export function plain(token: string): string {
  return token
    .replace(/[♔-♟]\ufe0e?/gu, (sign) => FIGURINES[sign.codePointAt(0)! - 0x2654])
    .replace(/×/g, "x").replace(/[†]/g, "+").replace(/[‡]/g, "#").replace(/(?<=[a-h][1-8QRBN])‼/u, "!!").replace(/⁇/g, "??").replace(/⁉/g, "!?").replace(/⁈/g, "?!");
}

export function isMove(san: string): boolean {
  return MOVE.test(san);
}
