// Tools, prompts and resources of extensions, which have no route.
import type { Peer } from '../call/peer.js';
import type { AddedEntry, Awaitable } from '../../publish/catalogue/published-list.js';
import type { JsonSchema } from '../../publish/decorators/author-schema.js';
import type { McpToolDefinition } from '../../mcp.definitions.js';
import type { McpToolAnnotations } from '../../mcp-tool.options.js';
import type { JsonObject } from '../protocol/json-rpc.js';
import type { Redaction } from '../../publish/schema/redaction.js';
import type { ReadResult } from './answer.js';
import type { ToolResult } from '../results/tool-result.js';

/** The lists that extensions add to. For clients, resources and resource templates are one list. */
export const LIST_NAMES = ['tools', 'prompts', 'resources'] as const;

export type ListName = (typeof LIST_NAMES)[number];

/** A resource that the server provides itself, without a route. */
export interface LocalResource {
  /** OAuth scopes that the caller needs. */
  readonly scopes: readonly string[];
  /**
   * Reads the resource. Returns undefined if it no longer exists.
   * @throws RequestFault if it cannot be read
   */
  read(this: void, peer: Peer): Awaitable<ReadResult | undefined>;
}

/** A prompt that the server provides itself, without a route. */
export interface LocalPrompt extends AddedEntry {
  readonly scopes: readonly string[];
  /** @throws RequestFault if the prompt cannot be created */
  get(this: void, args: JsonObject, peer: Peer): Promise<object>;
  readonly complete?: CompleteArgument;
}

/** A template for resources that `resource` finds. */
export interface LocalTemplate extends AddedEntry {
  readonly scopes: readonly string[];
  readonly complete?: CompleteArgument;
}

/** Handles `completion/complete` with these parameters. */
type CompleteArgument = (params: JsonObject, peer: Peer) => Promise<object>;

/** A tool that the server runs itself, without a route. */
export interface LocalTool {
  readonly definition: LocalToolDefinition;
  /** The argument of `visible`. Undefined: every caller sees the tool. */
  readonly visibleAs?: McpToolDefinition;
  /** OAuth scopes that the caller needs. @default none */
  readonly scopes?: readonly string[];
  /** False if `run` checks the arguments itself. @default true */
  readonly isChecked?: boolean;
  /**
   * Copies arguments without their secrets, for call records. By default, the schema determines the
   * secrets.
   */
  readonly redact?: Redaction;
  /**
   * Runs the tool.
   * @param args valid for the definition. Optional arguments may be null
   * @throws RequestFault, or rejects with it. This error is sent to the client
   */
  run(this: void, args: JsonObject, peer: Peer): ToolResult | Promise<ToolResult>;
}

/** A tool as an entry of `tools/list`. */
export interface LocalToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly annotations?: McpToolAnnotations & { readonly title?: string };
  readonly _meta?: JsonObject;
}
