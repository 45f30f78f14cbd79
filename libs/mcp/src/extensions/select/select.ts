import type { ToolDraft } from '../../catalogue/extension.js';
import type { JsonSchema } from '../../decorators/author-schema.js';
import { McpOptionError } from '../../mcp.errors.js';
import type { JsonObject } from '../../messages/json-rpc.js';
import { ArgumentsFault, type McpExtension } from '../../operations/extension.js';
import { isRecord, without } from '../../schema/json-schema.js';
import { type ResolvedSelect, SELECT_TOOL_OPTION } from './select-options.js';
import { pathsOf, selectMembers } from './selected-members.js';

/** Adds an argument by which the model selects members of an answer. The data of a tool is the name of the argument. */
export const select: McpExtension<never, undefined, ResolvedSelect, string> = {
  name: 'select',
  author: { tool: SELECT_TOOL_OPTION },

  publish: () => ({
    tool(draft, { select: given }) {
      if (given === false) return undefined;
      const data = given === true ? 'select' : given;
      refuseUnselectable(draft, data);
      const inputSchema = withArgument(draft.inputSchema, data);
      return { data, draft: { inputSchema, output: draft.output?.partial() } };
    },
  }),

  create: () =>
    Promise.resolve({
      around: (_tool, name) => (call, next) => {
        pathsIn(call.args, name);
        return next({ ...call, args: without(call.args, name) });
      },
      result: (_tool, name) => (whole, _response, call) =>
        whole.isError ? whole : selectMembers(whole, pathsIn(call.args, name)),
    }),
};

/** @throws ArgumentsFault if the argument is no list of texts */
function pathsIn(args: JsonObject, name: string): readonly string[] {
  const paths = pathsOf(Object.hasOwn(args, name) ? args[name] : undefined);
  if (paths) return paths;
  throw new ArgumentsFault(`/${name} must be a list of texts.`);
}

/** @throws McpOptionError if members of the answers cannot be selected by an argument of this name */
function refuseUnselectable({ route, content, inputSchema }: ToolDraft, name: string): void {
  const { properties } = inputSchema;
  if (content === 'blocks') {
    throw new McpOptionError(
      `@McpTool({ select }) on ${route.label} has no effect beside content: 'blocks'. Remove one of the two.`,
    );
  }
  if (isRecord(properties) && Object.hasOwn(properties, name)) {
    throw new McpOptionError(
      `@McpTool({ select }) on ${route.label} adds the argument "${name}", which the route has. Give it another name: ` +
        `@McpTool({ select: 'members' }).`,
    );
  }
}

/** The schema of a tool's arguments with the one that selects members. */
function withArgument(schema: JsonSchema, name: string): JsonSchema {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  return Object.freeze({
    ...schema,
    properties: Object.freeze({ ...properties, [name]: SELECT }),
  });
}

const SELECT: JsonSchema = Object.freeze({
  type: 'array',
  items: Object.freeze({ type: 'string' }),
  description:
    'Members of the answer to return, such as ["id", "owner.name"]. The members of a list are those of its ' +
    'items. Everything if omitted.',
});
