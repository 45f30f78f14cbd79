import {
  kind,
  listOf,
  type OptionTable,
  type Place,
  readOptions,
  rule,
  texts,
} from '@fledge-internal/options';
import { scopes } from '../../options/option-rules.js';

/** Module option for official SDK servers. */
export interface ServersOption {
  /**
   * Official SDK servers (`McpServer` of `@modelcontextprotocol/sdk` 1.x or of
   * `@modelcontextprotocol/server` 2.x). Their tools, resources and prompts are published next to
   * the routes. Guards, pipes and interceptors of Nest do not run for them.
   * @default none
   */
  readonly servers?: readonly (McpSdkServer | McpSdkServerOptions)[];
}

/** An official SDK server that is not connected to another transport. */
export interface McpSdkServer {
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
}

/** An SDK server, and who may use it. */
export interface McpSdkServerOptions {
  readonly server: McpSdkServer;
  /**
   * OAuth scopes that callers need for all tools, resources and prompts of the server.
   * @default none
   */
  readonly scopes?: readonly string[];
  /**
   * Tags of the server. An endpoint with `tags` publishes only servers with one of its tags.
   * @default none
   */
  readonly tags?: readonly string[];
}

const server = kind<McpSdkServer>(
  'an object with the methods connect() and close(), such as an McpServer of the official SDK',
  isServer,
).required;

const SERVER = {
  server,
  scopes: scopes.default([]),
  tags: texts.default([]),
} satisfies OptionTable<McpSdkServerOptions>;

export interface ResolvedServer {
  readonly server: McpSdkServer;
  readonly scopes: readonly string[];
  readonly tags: readonly string[];
}

const oneServer = rule(
  (given: McpSdkServer | McpSdkServerOptions, place: Place): ResolvedServer => {
    if (isServer(given)) return { server: given, scopes: [], tags: [] };
    return readOptions(given, SERVER, place);
  },
);

export const SERVERS_OPTION = {
  servers: listOf(oneServer, 1).optional,
} satisfies OptionTable<ServersOption>;

function isServer(value: unknown): value is McpSdkServer {
  const { connect, close } = (value ?? {}) as Partial<McpSdkServer>;
  return typeof connect === 'function' && typeof close === 'function';
}
