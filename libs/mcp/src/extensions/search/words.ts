// Splits strings into words for comparison. The same function is used for names, descriptions and
// search queries, in any script.

/**
 * Matches words: letters with their accents, and digits. Everything else separates words, such as
 * `_`, `.`, `-` and spaces.
 */
const RUN = /[\p{L}\p{M}\p{N}]+/gu;

/** Matches the word boundaries in `cancelOrder` and `HTTPServer`. */
const CAMEL_CASE = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** Matches the boundary between letters and digits, as in `oauth2`. */
const DIGITS = /(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/** Matches scripts that write no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** Maximum characters of a word. Longer words are cut. */
const LONGEST_WORD = 64;

/**
 * Returns the normalized words of a string: `cancelOrders` gives `cancelorders`, `cancel` and
 * `order`. The result also contains the whole word. So the search `timesheets` finds `TimeSheets`.
 */
export function wordsOf(text: string): string[] {
  return [...text.normalize('NFKC').matchAll(RUN)].flatMap(([run]) => wordsOfRun(run));
}

function wordsOfRun(run: string): string[] {
  const unspaced = run.match(UNSPACED);
  if (unspaced) {
    return [
      ...unspaced.flatMap(pairsOf),
      ...run.split(UNSPACED).filter(Boolean).flatMap(wordsOfRun),
    ];
  }
  const parts = run.split(CAMEL_CASE);
  const pieces = parts.flatMap((part) => part.split(DIGITS));
  return [...new Set([run, ...parts, ...pieces].map(folded))].filter(Boolean);
}

/**
 * Returns overlapping pairs of characters. Search engines index Chinese and Japanese in this way.
 * No dictionary is needed.
 */
function pairsOf(text: string): string[] {
  const characters = [...text];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/** Removes case, accents and English plurals. */
function folded(word: string): string {
  const plain = word
    .slice(0, LONGEST_WORD)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase();
  return singular(plain);
}

/**
 * Returns the singular: `orders` becomes `order`, `companies` becomes `company`. Does nothing for
 * other languages. Plurals in other languages are found by their first letters.
 */
function singular(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(ss|x|ch|sh|z)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
