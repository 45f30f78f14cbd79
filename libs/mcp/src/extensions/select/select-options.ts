import { kind, type OptionTable, type ReadOptions } from '@fledge-internal/options';

/** Option of `@McpTool` for selecting fields. */
export interface SelectToolOption {
  /**
   * Adds an argument with which the model selects fields of a JSON response after the route ran.
   * `true` names the argument `select`. If the tool has an `outputSchema`, the schema is published
   * without `required` and length limits.
   * @default false
   */
  readonly select?: boolean | string;
}

export const SELECT_TOOL_OPTION = {
  select: kind<boolean | string>(
    'true or the name of an argument',
    (value) => typeof value === 'boolean' || (typeof value === 'string' && value !== ''),
  ).default(false),
} satisfies OptionTable<SelectToolOption>;

export type ResolvedSelect = ReadOptions<typeof SELECT_TOOL_OPTION>;
