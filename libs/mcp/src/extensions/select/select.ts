import { withArguments } from '../../publish/catalogue/added-arguments.js';
import type { ToolDraft } from '../../publish/catalogue/publishing-extension.js';
import type { JsonSchema } from '../../publish/decorators/author-schema.js';
import { McpOptionError } from '../../mcp.errors.js';
import type { JsonObject } from '../../serve/protocol/json-rpc.js';
import { ArgumentsFault, type McpExtension } from '../../serve/methods/extension.js';
import { without } from '../../publish/schema/json-schema.js';
import { isCut } from '../../serve/results/response-body.js';
import type { ToolResult } from '../../serve/results/tool-result.js';
import { type ResolvedSelect, SELECT_TOOL_OPTION } from './select-options.js';
import { MOST_PATHS, pathsOf, selectMembers } from './selected-members.js';

/**
 * Adds an argument that selects fields of a response. The extension stores the name of this
 * argument for each tool.
 */
export const select: McpExtension<never, undefined, ResolvedSelect, string> = {
  name: 'select',
  author: { tool: SELECT_TOOL_OPTION },

  publish: () => ({
    tool(draft, { select: given }) {
      if (given === false) return undefined;
      const data = given === true ? 'select' : given;
      refuseUnselectable(draft);
      const inputSchema = withArguments(draft, { [data]: SELECT }, ADDED_BY);
      return { data, draft: { inputSchema, output: draft.output?.partial() } };
    },
  }),

  create: () =>
    Promise.resolve({
      around: (_tool, name) => (call, next) => {
        pathsIn(call.args, name);
        return next({ ...call, args: without(call.args, name) });
      },
      result: (_tool, name) => (whole, response, call) => {
        const paths = pathsIn(call.args, name);
        if (whole.isError || paths.length === 0) return whole;
        return isCut(response) ? withNote(whole) : selectMembers(whole, paths);
      },
    }),
};

/** A part of a JSON text has no fields to select. */
function withNote(result: ToolResult): ToolResult {
  const [first, ...others] = result.content;
  if (first?.type !== 'text') return result;
  const text = `(no fields were selected, because the response is too long and was cut)\n${first.text}`;
  return { ...result, content: [{ ...first, text }, ...others] };
}

/** @throws ArgumentsFault if the argument is not a list of strings, or if the list is too long */
function pathsIn(args: JsonObject, name: string): readonly string[] {
  const paths = pathsOf(Object.hasOwn(args, name) ? args[name] : undefined);
  if (!paths) throw new ArgumentsFault(`/${name} must be a list of strings.`);
  if (paths.length <= MOST_PATHS) return paths;
  throw new ArgumentsFault(`/${name} must contain at most ${MOST_PATHS} fields.`);
}

/** @throws McpOptionError if the responses have no fields */
function refuseUnselectable({ route, content }: ToolDraft): void {
  if (content === 'blocks') {
    throw new McpOptionError(
      `@McpTool({ select }) on ${route.label} has no effect together with content: 'blocks'. Remove one of the two options.`,
    );
  }
}

const ADDED_BY = {
  option: '@McpTool({ select })',
  cure: "Give the added argument another name: @McpTool({ select: 'fields' }).",
};

const SELECT: JsonSchema = Object.freeze({
  type: 'array',
  items: Object.freeze({ type: 'string' }),
  description:
    'Fields of the response to return, such as ["id", "owner.name"]. For a list, name the fields of its ' +
    'items. If omitted, all fields are returned.',
});
