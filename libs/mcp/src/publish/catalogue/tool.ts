import { getMcpToolMeta } from '../decorators/mcp-tool.decorator.js';
import type { McpToolOptions } from '../../mcp-tool.options.js';
import type { ExtensionData } from './publishing-extension.js';
import type { McpToolDefinition } from '../../mcp.definitions.js';
import { documentationOf, summaryOf, tagsOf } from './route-documentation.js';
import {
  type Callable,
  callableOf,
  type CatalogueSetup,
  type Operation,
  redactedArguments,
} from './operation.js';
import { type Redaction, redactionOf, resultRedactionOf } from '../schema/redaction.js';
import { acceptedArguments } from './added-arguments.js';
import { declaredOutputOf } from '../schema/declared-output.js';
import { explicitOutputOf } from '../schema/explicit-output.js';
import { outputSchemaOf, type ToolOutput } from '../schema/output-schema.js';
import type { JsonSchema } from '../decorators/author-schema.js';
import type { Route } from '../routes/route.js';
import type { ListEntry, ListForm } from './published-list.js';
import { ToolSchemaError } from '../../mcp.errors.js';
import { assertRedacted } from './redact-check.js';
import { nameTitle } from './name-words.js';
import { type ToolHints, toolHints } from './tool-hints.js';
import { toolNameOf } from './tool-name.js';
import type { McpSourceTool } from '../../tool-source.js';

/** A route published as a tool. */
export interface Tool extends Omit<McpToolDefinition, 'tags'>, Operation {
  readonly kind: 'tool';
  readonly title: string;
  readonly output: ToolOutput | undefined;
  readonly annotations: ToolHints;
  /**
   * `body`: the response body is the content. `blocks`: the response body is a list of content
   * blocks.
   */
  readonly content: 'body' | 'blocks';
  /** False if the tool is hidden from models. */
  readonly forModels: boolean;
  /** The declaration of the tool in a tool source. Undefined if the tool is a controller route. */
  readonly source: McpSourceTool | undefined;
  /** Copies results and leaves out secrets. Used for traces. */
  readonly redactResult: Redaction;
  readonly extended: ExtensionData;
  readonly entry: ListEntry;
}

/** An entry of `tools/list` (MCP 2025-11-25, `Tool`). */
export interface ListedTool extends ListEntry {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

export function toolEntry(tool: Tool, { structured }: Pick<ListForm, 'structured'>): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    ...(tool.output && { outputSchema: tool.output[structured].schema }),
    // Some clients and directories read only this title.
    annotations: { title: tool.title, ...tool.annotations },
    ...tool.entry,
  };
}

/**
 * Returns the list entry of a tool before extensions change it. Returns undefined if the tool is
 * hidden from models.
 */
export function listedTool(tool: Tool, form: ListForm): ListEntry | undefined {
  return tool.forModels ? toolEntry(tool, form) : undefined;
}

/**
 * Builds a tool from a route.
 * @throws ToolSchemaError if a hand-written schema is invalid or cannot be converted
 */
export function toolOf(route: Route, setup: CatalogueSetup): Tool {
  const meta = getMcpToolMeta(route.handler);
  const callable = callableOf(route, setup, meta);
  if (meta?.inputSchema !== undefined) assertCompiles(callable);
  const redacted = redactedArguments(callable.input, meta);
  assertRedacted(callable, redacted, 'the option `redact` of @McpTool');
  const extended = setup.extensions.extendTool(
    {
      route,
      inputSchema: callable.input.schema,
      output: outputOf(route, meta, setup),
      content: meta?.content ?? 'body',
      timeoutMs: meta?.timeoutMs ?? setup.options.limits.timeoutMs,
      forModels: true,
    },
    meta,
  );
  const name = toolNameOf(route, meta);
  const accepted = acceptedArguments(callable.input, extended);
  return {
    ...callable,
    ...extended,
    kind: 'tool',
    name,
    title: meta?.title ?? summaryOf(route) ?? nameTitle(name),
    description: meta?.description ?? documentationOf(route),
    httpMethod: route.verb,
    mountPath: route.path,
    tags: meta?.tags ?? tagsOf(route),
    annotations: toolHints(route.verb, meta?.annotations),
    source: undefined,
    redact: redactionOf(accepted, redacted),
    redactResult: resultRedactionOf(extended.output?.sent ?? {}, accepted, meta?.redact ?? []),
    scopes: meta?.scopes ?? [],
  };
}

/**
 * Returns the output of `@McpTool`, or else the output that the route declares. Lists of content
 * blocks have no output schema.
 */
function outputOf(
  route: Route,
  meta: McpToolOptions | undefined,
  { options, warn }: CatalogueSetup,
): ToolOutput | undefined {
  const { outputSchema, content } = meta ?? {};
  if (outputSchema !== undefined) {
    return explicitOutputOf(outputSchemaOf(outputSchema, route.label));
  }
  if (options.outputSchemas === 'explicit' || content === 'blocks') return undefined;
  return declaredOutputOf(route, warn);
}

/**
 * Compiles a hand-written schema at startup to find errors early. Other schemas are compiled on the
 * first call.
 */
function assertCompiles({ route, validate }: Callable): void {
  try {
    validate({});
  } catch (error) {
    throw new ToolSchemaError(
      route.label,
      `the inputSchema of @McpTool is not a valid JSON Schema 2020-12 (${String(error)}).`,
    );
  }
}
