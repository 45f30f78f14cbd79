import { kind, type OptionTable, type ReadOptions } from '@fledge-internal/options';

/** The option of `@McpTool`. */
export interface SelectToolOption {
  /**
   * Adds an argument with which the model selects members of a JSON answer, after the route ran: `true` names it
   * `select`. If the tool has an `outputSchema`, it is published without `required` and limits.
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
