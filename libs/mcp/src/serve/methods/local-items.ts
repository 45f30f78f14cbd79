// Tools, prompts and resources that extensions provide without a route.
import type { Peer } from '../call/peer.js';
import type { AddedEntry, Awaitable } from '../../publish/catalogue/published-list.js';
import type { JsonSchema } from '../../publish/decorators/author-schema.js';
import type { McpToolDefinition } from '../../mcp.definitions.js';
import type { McpToolAnnotations } from '../../mcp-tool.options.js';
import type { JsonObject } from '../protocol/json-rpc.js';
import type { Redaction } from '../../publish/schema/redaction.js';
import type { ReadResult } from './answer.js';
import type { ToolResult } from '../results/tool-result.js';

/**
 * The lists to which extensions can add items. `resources` contains resources and resource
 * templates, because clients are notified of both together.
 */
export const LIST_NAMES = ['tools', 'prompts', 'resources'] as const;

export type ListName = (typeof LIST_NAMES)[number];

export interface LocalResource {
  readonly scopes: readonly string[];
  /**
   * Returns undefined if the resource no longer exists.
   * @throws RequestFault if the resource cannot be read
   */
  read(this: void, peer: Peer): Awaitable<ReadResult | undefined>;
}

export interface LocalPrompt extends AddedEntry {
  readonly scopes: readonly string[];
  /** @throws RequestFault if the prompt cannot be created */
  get(this: void, args: JsonObject, peer: Peer): Promise<object>;
  readonly complete?: CompleteArgument;
}

/** The extension's function `resource` finds the resources of a template. */
export interface LocalTemplate extends AddedEntry {
  readonly scopes: readonly string[];
  readonly complete?: CompleteArgument;
}

/** Handles the parameters of a `completion/complete` request. */
type CompleteArgument = (params: JsonObject, peer: Peer) => Promise<object>;

export interface LocalTool {
  readonly definition: LocalToolDefinition;
  /** The definition that is passed to `visible`. Undefined: every caller sees the tool. */
  readonly visibleAs?: McpToolDefinition;
  /** OAuth scopes that the caller needs. @default none */
  readonly scopes?: readonly string[];
  /**
   * Set this to true if the tool only finds or calls other tools. The list of every tool then omits
   * it. @default false
   */
  readonly isIndirect?: boolean;
  /** Set this to false if `run` checks the arguments itself. @default true */
  readonly isChecked?: boolean;
  /**
   * Returns the arguments without secrets, for call records. By default, the schema determines
   * which arguments are secret.
   */
  readonly redact?: Redaction;
  /**
   * @param args arguments that match the definition. Optional arguments may be null
   * @throws RequestFault, or rejects with RequestFault. The client receives this error
   */
  run(this: void, args: JsonObject, peer: Peer): ToolResult | Promise<ToolResult>;
}

/** A tool in the form of an entry of `tools/list`. */
export interface LocalToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: McpToolAnnotations & { readonly title?: string };
  readonly _meta?: JsonObject;
}
