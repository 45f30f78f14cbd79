import {
  getMcpToolMeta,
  type McpToolAnnotations,
  type McpToolOptions,
} from '../decorators/mcp-tool.decorator.js';
import type { HttpMethod, McpToolDefinition } from '../mcp.definitions.js';
import { type Callable, callableOf, type CatalogueSetup, type Operation } from './operation.js';
import { outputSchemaOf, type ToolOutput, toolOutputOf } from '../schema/output-schema.js';
import type { Route } from '../routes/route.js';
import { ToolNameError, ToolSchemaError } from '../mcp.errors.js';

/** A route made into a tool. */
export interface Tool extends McpToolDefinition, Operation {
  readonly kind: 'tool';
  readonly title: string | undefined;
  readonly output: ToolOutput | undefined;
  readonly annotations: McpToolAnnotations;
  /** Whether the body is the content, or a list of content blocks. */
  readonly content: 'body' | 'blocks';
}

/** A tool as `tools/list` shows it (MCP 2025-11-25, `Tool`). */
export function listedTool(tool: Tool): object {
  return {
    name: tool.name,
    ...(tool.title !== undefined && { title: tool.title }),
    description: tool.description,
    inputSchema: tool.inputSchema,
    ...(tool.output && { outputSchema: tool.output.schema }),
    annotations: tool.annotations,
  };
}

/**
 * Makes a tool of a route.
 * @throws ToolSchemaError for a hand-written schema that no validator can be made of
 */
export function toolOf(route: Route, setup: CatalogueSetup): Tool {
  const meta = getMcpToolMeta(route.handler);
  const callable = callableOf(route, setup, meta);
  if (meta?.inputSchema !== undefined) assertCompiles(callable);
  return {
    ...callable,
    kind: 'tool',
    name: toolNameOf(route, meta),
    title: meta?.title,
    description: toolDescriptionOf(route, meta),
    httpMethod: route.verb,
    mountPath: route.path,
    inputSchema: callable.input.schema,
    output: meta?.outputSchema && toolOutputOf(outputSchemaOf(meta.outputSchema, route.label)),
    annotations: annotationsOf(route.verb, meta?.annotations),
    content: meta?.content ?? 'body',
    timeoutMs: meta?.timeoutMs ?? setup.options.limits.timeoutMs,
    scopes: meta?.scopes ?? [],
  };
}

/** Validators are compiled on their first call; a schema written by hand has it now. */
function assertCompiles({ route, validate }: Callable): void {
  try {
    validate({});
  } catch (error) {
    throw new ToolSchemaError(
      route.label,
      `the inputSchema of @McpTool is no valid JSON Schema 2020-12 (${String(error)}).`,
    );
  }
}

/** What clients take: the narrower of the MCP recommendation and the conformance suite. */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** Where @nestjs/swagger keeps what `@ApiOperation()` was given. */
const API_OPERATION = 'swagger/apiOperation';

/**
 * The name of a route's tool: the decorator's, else the operation id, else `Controller.method`.
 * @throws ToolNameError for a name clients would refuse
 */
function toolNameOf(route: Route, tool: McpToolOptions | undefined): string {
  const name = tool?.name ?? apiOperationOf(route)?.operationId ?? route.label;
  if (!TOOL_NAME.test(name)) throw new ToolNameError(name, route.label);
  return name;
}

/** The decorator's description, else what the operation says of itself, else verb and path. */
function toolDescriptionOf(route: Route, tool: McpToolOptions | undefined): string {
  const operation = apiOperationOf(route);
  return (
    tool?.description ??
    (operation?.description || operation?.summary || `${route.verb} ${route.path}`)
  );
}

/** What `@ApiOperation` says of a route. */
interface ApiOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
}

function apiOperationOf(route: Route): ApiOperation | undefined {
  return Reflect.getMetadata(API_OPERATION, route.handler) as ApiOperation | undefined;
}

/** Hints that follow from the semantics of the verb (RFC 9110 §9.2). */
const BY_VERB: Readonly<Record<HttpMethod, McpToolAnnotations>> = {
  GET: { readOnlyHint: true, idempotentHint: true },
  POST: {},
  PUT: { idempotentHint: true },
  PATCH: {},
  DELETE: { destructiveHint: true, idempotentHint: true },
};

/** The hints of a verb, each overridable by the decorator. */
function annotationsOf(
  verb: HttpMethod,
  overrides: McpToolAnnotations | undefined,
): McpToolAnnotations {
  return { ...BY_VERB[verb], ...overrides };
}
