import type { McpExtension } from '../../serve/methods/extension.js';
import { HIDDEN_CHARACTERS_OPTION } from './hidden-characters-option.js';

/** Removes invisible characters from everything sent to clients. */
export const hiddenCharacters: McpExtension<'remove' | 'keep', 'remove' | 'keep'> = {
  name: 'hiddenCharacters',
  option: HIDDEN_CHARACTERS_OPTION.hiddenCharacters,
  scope: 'module',
  create: (given) =>
    Promise.resolve(given === 'remove' ? { clean: removeHiddenCharacters } : undefined),
};

/** Zero-width characters that a text may need singly, such as a direction mark. */
const SINGLE = String.raw`\u00AD\u034F\u061C\u200E\u200F\u2060`;
const JOINERS = String.raw`\u200C\u200D`;
/** Scripts without spaces, where U+200B marks places to break a line. */
const UNSPACED = String.raw`[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`;

const HIDDEN = new RegExp(
  [
    // A region flag, such as the flag of Wales: a black flag followed by tag characters (UTS #51).
    // These are kept.
    String.raw`(\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F})`,
    // All other tag characters are invisible copies of ASCII.
    String.raw`[\u{E0000}-\u{E007F}]+`,
    // Embeddings, overrides and isolates (UAX #9). With these characters, people see another order
    // than a model reads.
    String.raw`[\u202A-\u202E\u2066-\u2069]+`,
    // Two or more zero-width characters in a row can encode a message. Joiners are part of emoji
    // and letters. Valid text has at most three joiners in a row (Unicode 23.2).
    `(?=[${JOINERS}]*[${SINGLE}\\u200B])[${SINGLE}\\u200B${JOINERS}]{2,}`,
    `[${JOINERS}]{4,}`,
    `\\u200B(?<!${UNSPACED}.)(?!${UNSPACED})`,
    // A variation selector selects the form of the character before it. There are 256 selectors, so
    // one after each letter can encode a message. Only some characters have variants (UTS #37, UTS
    // #51, Unicode 23.4).
    String.raw`[\uFE0E\uFE0F](?<!\p{Emoji}.)`,
    String.raw`[\uFE00-\uFE02](?<![\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Sm}0].)|[\uFE03-\uFE0D]`,
    String.raw`[\u{E0100}-\u{E01EF}](?<!\p{Script=Han}.)`,
    String.raw`[\u180B-\u180F](?<!\p{Script=Mongolian}.)`,
    // All other characters that are not displayed. Interlinear annotations have no such property.
    `(?![${SINGLE}${JOINERS}\\u200B\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}\\u180B-\\u180F])\\p{Default_Ignorable_Code_Point}`,
    String.raw`[\uFFF9-\uFFFB]`,
  ].join('|'),
  'gu',
);

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/u;

/** Removes invisible characters from a string. Keeps emoji and the joiners that scripts require. */
export function removeHiddenCharacters(text: string): string {
  // Most texts have none of these characters. The check takes less than half as long as replacing.
  return INVISIBLE.test(text) ? text.replace(HIDDEN, '$1') : text;
}
