import { oneOf, type OptionTable } from '@fledge-internal/options';

/** The option of the module. */
export interface HiddenCharactersOption {
  /**
   * Whether characters that people cannot see are removed from what is sent to clients, because texts of strangers hide
   * instructions to a model in them. Emoji, and the joiners that scripts need, are kept.
   * @default 'remove'
   */
  readonly hiddenCharacters?: 'remove' | 'keep';
}

export const HIDDEN_CHARACTERS_OPTION = {
  hiddenCharacters: oneOf('remove', 'keep').default('remove'),
} satisfies OptionTable<HiddenCharactersOption>;
