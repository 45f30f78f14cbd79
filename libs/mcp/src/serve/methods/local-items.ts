// What extensions offer without a route.
import type { Peer } from '../call/peer.js';
import type { AddedEntry, Awaitable } from '../../publish/catalogue/published-list.js';
import type { JsonSchema } from '../../publish/decorators/author-schema.js';
import type { McpToolDefinition } from '../../mcp.definitions.js';
import type { McpToolAnnotations } from '../../mcp-tool.options.js';
import type { JsonObject } from '../protocol/json-rpc.js';
import type { Redaction } from '../../publish/schema/redaction.js';
import type { ReadResult } from './answer.js';
import type { ToolResult } from '../results/tool-result.js';

/** The lists that extensions add to. Both kinds of resources are one list for clients. */
export const LIST_NAMES = ['tools', 'prompts', 'resources'] as const;

export type ListName = (typeof LIST_NAMES)[number];

/** A resource that the server answers itself: it has no route. */
export interface LocalResource {
  /** OAuth scopes that the caller must have. */
  readonly scopes: readonly string[];
  /**
   * Undefined if there is no such resource any more.
   * @throws RequestFault if it cannot be read
   */
  read(this: void, peer: Peer): Awaitable<ReadResult | undefined>;
}

/** A prompt that the server answers itself: it has no route. */
export interface LocalPrompt extends AddedEntry {
  readonly scopes: readonly string[];
  /** @throws RequestFault if it cannot be made */
  get(this: void, args: JsonObject, peer: Peer): Promise<object>;
  readonly complete?: CompleteArgument;
}

/** A template of resources that `resource` finds. */
export interface LocalTemplate extends AddedEntry {
  readonly scopes: readonly string[];
  readonly complete?: CompleteArgument;
}

/** Answers `completion/complete` with these parameters. */
type CompleteArgument = (params: JsonObject, peer: Peer) => Promise<object>;

/** A tool that the server answers itself: it has no route. */
export interface LocalTool {
  readonly definition: LocalToolDefinition;
  /** What `visible` gets. Undefined: every caller sees the tool. */
  readonly visibleAs?: McpToolDefinition;
  /** OAuth scopes that the caller must have. @default none */
  readonly scopes?: readonly string[];
  /** False: `run` checks the arguments itself. @default true */
  readonly isChecked?: boolean;
  /** Copies arguments without their secrets, for records of calls. By default, secrets are what the schema says. */
  readonly redact?: Redaction;
  /**
   * @param args valid for the definition. Those that are not required may be null
   * @throws RequestFault, also by rejecting: the client gets it
   */
  run(this: void, args: JsonObject, peer: Peer): ToolResult | Promise<ToolResult>;
}

/** A tool as `tools/list` returns it. */
export interface LocalToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly annotations?: McpToolAnnotations & { readonly title?: string };
  readonly _meta?: JsonObject;
}
