import { kind, type OptionTable, type ReadOptions } from '@fledge-internal/options';

/** Option of `@McpTool` for selecting fields. */
export interface SelectToolOption {
  /**
   * Adds an argument to the tool. In this argument, the model lists the fields of a JSON response
   * that it needs. Other fields are removed after the route ran. A string is the name of the
   * argument; `true` means `select`. If the tool has an `outputSchema`, this schema is published
   * without `required` and without length limits.
   * @default false
   */
  readonly select?: boolean | string;
}

export const SELECT_TOOL_OPTION = {
  select: kind<boolean | string>(
    'true, false or the name of an argument',
    (value) => typeof value === 'boolean' || (typeof value === 'string' && value !== ''),
  ).default(false),
} satisfies OptionTable<SelectToolOption>;

export type ResolvedSelect = ReadOptions<typeof SELECT_TOOL_OPTION>;
