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

/** Zero-width characters except joiners. A text may need a single one, such as a direction mark. */
const WITHOUT_WIDTH = String.raw`\u00AD\u034F\u061C\u180E\u200B\u200E\u200F\u2060-\u2064\u206A-\u206F\uFEFF\uFFF9-\uFFFB`;
const JOINERS = String.raw`\u200C\u200D`;

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
    `(?=[${JOINERS}]*[${WITHOUT_WIDTH}])[${WITHOUT_WIDTH}${JOINERS}]{2,}`,
    `[${JOINERS}]{4,}`,
    // A single variation selector is valid. It selects the form of a character.
    String.raw`[\uFE00-\uFE0F\u180B-\u180D\u180F\u{E0100}-\u{E01EF}]{2,}`,
  ].join('|'),
  'gu',
);

/** Removes invisible characters from a string. Keeps emoji and the joiners that scripts require. */
export function removeHiddenCharacters(text: string): string {
  return text.replace(HIDDEN, '$1');
}
