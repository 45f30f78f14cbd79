import type { McpToolOptions } from '../mcp-tool.options.js';
import type { SharedMcpOptions } from '../mcp.defaults.js';
import { McpOptionError } from '../mcp.errors.js';
import { placeOf } from '../options/option-rules.js';
import { refuseLargeResult, type ResolvedMcpResult } from '../options/result-options.js';
import type { Route } from '../routes/route.js';
import type { JsonSchema } from '../decorators/author-schema.js';
import { isRecord } from '../schema/json-schema.js';

/** What is left out of the results of a tool. */
export interface ResultShape {
  /** Undefined: results are as large as `limits.responseBytes` allows. */
  readonly limit: ResultLimit | undefined;
  /** Name of the argument that selects members of the answer. */
  readonly select: string | undefined;
}

export interface ResultLimit extends ResolvedMcpResult {
  readonly maxBytes: number;
}

/**
 * The shape of a tool's results. Undefined if nothing is left out.
 * @throws McpOptionError if the options of the tool exclude each other
 */
export function resultShapeOf(
  { label }: Route,
  meta: McpToolOptions | undefined,
  inputSchema: JsonSchema,
  { result, limits }: SharedMcpOptions,
): ResultShape | undefined {
  const { maxBytes = result.maxBytes, overflow = result.overflow } = meta?.result ?? {};
  const place = placeOf('@McpTool', ` on ${label}`).at('result');
  refuseLargeResult(maxBytes, limits.responseBytes, place);
  const limit = limitOf(label, meta, { ...result, maxBytes, overflow });
  const select = selectOf(label, meta, inputSchema);
  return limit === undefined && select === undefined ? undefined : { limit, select };
}

function limitOf(
  label: string,
  meta: McpToolOptions | undefined,
  resolved: ResolvedMcpResult,
): ResultLimit | undefined {
  const { maxBytes } = resolved;
  const whole = sentWhole(meta);
  if (maxBytes === undefined || whole === undefined) {
    return maxBytes === undefined ? undefined : { ...resolved, maxBytes };
  }
  if (meta?.result?.maxBytes === undefined) return undefined;
  throw new McpOptionError(
    `@McpTool({ result: { maxBytes } }) on ${label} has no effect beside ${whole}: such an answer is sent whole. ` +
      'Remove one of the two.',
  );
}

/** The option because of which the answers of a tool cannot be cut. */
function sentWhole(meta: McpToolOptions | undefined): string | undefined {
  if (meta?.content === 'blocks') return "content: 'blocks'";
  // With `select` it is published as a derived schema is, which a cut answer matches.
  const isExplicit = meta?.outputSchema !== undefined && !meta.select;
  return isExplicit ? 'outputSchema' : undefined;
}

function selectOf(
  label: string,
  meta: McpToolOptions | undefined,
  { properties }: JsonSchema,
): string | undefined {
  const { select, content } = meta ?? {};
  if (select === undefined || select === false) return undefined;
  const name = select === true ? 'select' : select;
  if (content === 'blocks') {
    throw new McpOptionError(
      `@McpTool({ select }) on ${label} has no effect beside content: 'blocks'. Remove one of the two.`,
    );
  }
  if (isRecord(properties) && Object.hasOwn(properties, name)) {
    throw new McpOptionError(
      `@McpTool({ select }) on ${label} adds the argument "${name}", which the route has. Give it another name: ` +
        `@McpTool({ select: 'members' }).`,
    );
  }
  return name;
}

/** The schema of a tool's arguments with the one that selects members. */
export function withSelect(schema: JsonSchema, name: string): JsonSchema {
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
