import { oneOf, type OptionTable } from '@fledge-internal/options';

/** Module option for invisible characters. */
export interface HiddenCharactersOption {
  /**
   * Removes invisible characters from everything sent to clients. Untrusted content can use such
   * characters to hide instructions for a model. Emoji are kept, and so are the joiners that
   * scripts require.
   * @default 'remove'
   */
  readonly hiddenCharacters?: 'remove' | 'keep';
}

export const HIDDEN_CHARACTERS_OPTION = {
  hiddenCharacters: oneOf('remove', 'keep').default('remove'),
} satisfies OptionTable<HiddenCharactersOption>;
