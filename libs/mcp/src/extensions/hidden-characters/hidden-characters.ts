import type { McpExtension } from '../../serve/methods/extension.js';
import { HIDDEN_CHARACTERS_OPTION } from './hidden-characters-option.js';

/** Removes characters that people cannot see from everything that is sent. */
export const hiddenCharacters: McpExtension<'remove' | 'keep', 'remove' | 'keep'> = {
  name: 'hiddenCharacters',
  option: HIDDEN_CHARACTERS_OPTION.hiddenCharacters,
  scope: 'module',
  create: (given) =>
    Promise.resolve(given === 'remove' ? { clean: removeHiddenCharacters } : undefined),
};

/** Characters without a width, except for joiners. One alone may be needed: direction marks, places to break a line. */
const WITHOUT_WIDTH = String.raw`\u00AD\u034F\u061C\u180E\u200B\u200E\u200F\u2060-\u2064\u206A-\u206F\uFEFF\uFFF9-\uFFFB`;
const JOINERS = String.raw`\u200C\u200D`;

const HIDDEN = new RegExp(
  [
    // The flag of a region, such as Wales: a black flag and tag characters (UTS #51). It is kept.
    String.raw`(\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F})`,
    // Other tag characters repeat ASCII, and nobody sees them.
    String.raw`[\u{E0000}-\u{E007F}]+`,
    // Embeddings, overrides and isolates show a text in another order than a model reads it (UAX #9).
    String.raw`[\u202A-\u202E\u2066-\u2069]+`,
    // Two and more characters without a width can spell a text. Joiners form emoji and letters, up to three in a row
    // (Unicode 23.2).
    `(?=[${JOINERS}]*[${WITHOUT_WIDTH}])[${WITHOUT_WIDTH}${JOINERS}]{2,}`,
    `[${JOINERS}]{4,}`,
    // One variation selector chooses the form of a character.
    String.raw`[\uFE00-\uFE0F\u180B-\u180D\u180F\u{E0100}-\u{E01EF}]{2,}`,
  ].join('|'),
  'gu',
);

/** Removes characters that people cannot see, and keeps emoji and the joiners of scripts. */
export function removeHiddenCharacters(text: string): string {
  return text.replace(HIDDEN, '$1');
}
