import { plainName } from '../server-name.js';
import type { ClientId } from './client-ids.js';
import type { OpenConfig } from './config-text.js';
import { openJson, openJsonc } from './json-text.js';
import { openToml } from './toml-text.js';
import { openYaml } from './yaml-text.js';

/** A server. Clients reach it at a URL, or start it with a command. */
export type McpServer =
  | {
      readonly kind: 'http';
      readonly name: string;
      readonly url: string;
      /**
       * The environment variable that holds the bearer token. Undefined if the server takes no
       * token.
       */
      readonly bearer?: string;
    }
  | {
      readonly kind: 'stdio';
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
    };

interface Input {
  readonly type: 'promptString';
  readonly id: string;
  readonly description: string;
  readonly password: true;
}

/** An MCP client, and the path and the format of its configuration file. */
export interface McpClient {
  readonly id: ClientId;
  readonly label: string;
  readonly open: OpenConfig;
  /** The content of a configuration file that has no servers. */
  readonly blank: string;
  /** The key of the object that contains the servers. */
  readonly section: string;
  /**
   * The path of the configuration file in a project folder. Undefined if the client only has a file
   * in the user's home.
   */
  readonly projectFile?: string;
  /**
   * Returns the key of a server.
   * @default its name
   */
  readonly keyOf?: (name: string) => string;
  readonly entryOf: (server: McpServer) => Readonly<Record<string, unknown>>;
  /**
   * Keys that users may change. If two entries differ only in these keys, they are the same server.
   */
  readonly ofUser?: readonly string[];
  /**
   * Returns the definition of an input. With this input, the client asks the user for a token.
   * Undefined if the client needs no input.
   */
  readonly inputOf?: (server: McpServer) => Input | undefined;
  /** Returns a sentence about the step that the user must still do for the token. */
  readonly bearerNote: (variable: string) => string;
}

const json = { open: openJson, blank: '{}\n', section: 'mcpServers' };
const jsonc = { ...json, open: openJsonc };

const inEnvironmentOf = (client: string) => (variable: string) =>
  `Set ${variable} in the environment of ${client}.`;

/** All clients that `mcp init` sets up. */
export const CLIENTS: readonly McpClient[] = [
  {
    ...json,
    id: 'claude-code',
    label: 'Claude Code',
    projectFile: '.mcp.json',
    keyOf: plainName,
    entryOf: (server) =>
      server.kind === 'http'
        ? { type: 'http', url: server.url, ...headers(server, (name) => `\${${name}}`) }
        : command(server),
    bearerNote: inEnvironmentOf('Claude Code'),
  },
  {
    ...jsonc,
    id: 'cursor',
    label: 'Cursor',
    projectFile: '.cursor/mcp.json',
    entryOf: (server) =>
      server.kind === 'http'
        ? { url: server.url, ...headers(server, (name) => `\${env:${name}}`) }
        : command(server),
    bearerNote: inEnvironmentOf('Cursor'),
  },
  {
    ...jsonc,
    id: 'vscode',
    label: 'VS Code',
    section: 'servers',
    projectFile: '.vscode/mcp.json',
    entryOf: (server) =>
      server.kind === 'http'
        ? {
            type: 'http',
            url: server.url,
            ...headers(server, () => `\${input:${inputIdOf(server.name)}}`),
          }
        : { type: 'stdio', ...command(server) },
    inputOf,
    bearerNote: () => 'VS Code asks for the token when it connects.',
  },
  {
    ...jsonc,
    id: 'gemini',
    label: 'Gemini CLI',
    projectFile: '.gemini/settings.json',
    entryOf: (server) =>
      server.kind === 'http'
        ? { httpUrl: server.url, ...headers(server, (name) => `$${name}`) }
        : command(server),
    bearerNote: inEnvironmentOf('Gemini CLI'),
  },
  {
    id: 'codex',
    label: 'Codex',
    open: openToml,
    blank: '',
    section: 'mcp_servers',
    projectFile: '.codex/config.toml',
    keyOf: plainName,
    entryOf: (server) =>
      server.kind === 'http'
        ? { url: server.url, ...(server.bearer && { bearer_token_env_var: server.bearer }) }
        : command(server),
    bearerNote: inEnvironmentOf('Codex'),
  },
  {
    ...jsonc,
    id: 'windsurf',
    label: 'Windsurf',
    entryOf: (server) =>
      server.kind === 'http'
        ? { serverUrl: server.url, ...headers(server, (name) => `\${env:${name}}`) }
        : command(server),
    bearerNote: inEnvironmentOf('Windsurf'),
  },
  {
    id: 'goose',
    label: 'Goose',
    open: openYaml,
    blank: '',
    section: 'extensions',
    // Goose finds an extension by a name in this form.
    keyOf: (name) =>
      name
        .replace(/\s/g, '')
        .replace(/[^\w-]/g, '_')
        .toLowerCase(),
    entryOf: (server) => ({
      ...(server.kind === 'http'
        ? { type: 'streamable_http', name: server.name, uri: server.url }
        : { type: 'stdio', name: server.name, cmd: server.command, args: server.args }),
      description: '',
      enabled: true,
      timeout: 300,
      ...(server.kind === 'http' && headers(server, (name) => `\${${name}}`)),
      ...(server.kind === 'http' && server.bearer && { env_keys: [server.bearer] }),
    }),
    ofUser: ['description', 'enabled', 'timeout'],
    bearerNote: inEnvironmentOf('Goose'),
  },
  {
    ...jsonc,
    id: 'zed',
    label: 'Zed',
    section: 'context_servers',
    projectFile: '.zed/settings.json',
    entryOf: (server) => (server.kind === 'http' ? { url: server.url } : command(server)),
    bearerNote: () =>
      'Zed does not read environment variables: sign in with OAuth, or add the header to your own settings.',
  },
];

export function clientOf(id: ClientId): McpClient {
  return CLIENTS.find((client) => client.id === id) as McpClient;
}

/** Returns the input that makes VS Code prompt for the token of a server. */
function inputOf(server: McpServer): Input | undefined {
  if (server.kind !== 'http' || server.bearer === undefined) return undefined;
  return {
    type: 'promptString',
    id: inputIdOf(server.name),
    description: `Bearer token of ${server.name}`,
    password: true,
  };
}

function inputIdOf(name: string): string {
  return `${name}-token`;
}

export type HttpServer = Extract<McpServer, { kind: 'http' }>;
type StdioServer = Extract<McpServer, { kind: 'stdio' }>;

function command({ command, args }: StdioServer): Record<string, unknown> {
  return { command, args };
}

function headers({ bearer }: HttpServer, notation: (variable: string) => string): object {
  return bearer === undefined ? {} : { headers: { Authorization: `Bearer ${notation(bearer)}` } };
}
