import { deepStrictEqual } from 'node:assert';
import { importPeer } from '@fledge/core/packages';
import {
  checkedLater,
  isObject,
  kind,
  oneOf,
  type OptionTable,
  readOptions,
  text,
} from '@fledge-internal/options';
import type { INestApplication } from '@nestjs/common';
import type {
  CallToolResult,
  Client,
  StreamableHTTPClientTransportOptions,
  Tool,
} from '@modelcontextprotocol/client';
import { McpAdapter } from '../mcp.adapter.js';
import { MissingPeerError } from '../mcp.errors.js';
import { EVERY_TOOL } from '../serve/methods/methods.js';
import { placeOf } from '../options/option-rules.js';
import { inProcessFetch } from './in-process-fetch.js';

export interface McpTestClientOptions {
  /** Bearer token sent with every request. @default none */
  readonly token?: string;
  /** Additional headers of every request. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Path of the endpoint. @default the path of the first endpoint */
  readonly endpoint?: string;
  /** MCP version: '2025-11-25' uses a session, '2026-07-28' does not. @default '2026-07-28' */
  readonly era?: '2025-11-25' | '2026-07-28';
}

const OPTIONS = {
  token: text.optional,
  headers: kind<NonNullable<McpTestClientOptions['headers']>>('an object', isObject).optional,
  endpoint: text.optional,
  era: oneOf('2025-11-25', '2026-07-28').default('2026-07-28'),
} satisfies OptionTable<McpTestClientOptions>;

/** An HTTP request. Its response is compared with the result of a tool call. */
export interface DirectRequest {
  readonly method: string;
  /** Path and query string. */
  readonly path: string;
  /** Body, sent as JSON. */
  readonly body?: unknown;
}

const DIRECT_REQUEST = {
  method: text.required,
  path: text.required,
  body: checkedLater,
} satisfies OptionTable<DirectRequest>;

/** The official MCP client, connected to an application in memory. */
export interface McpTestClient {
  /**
   * Returns all tools, sorted by name, including unlisted tools. Use it for a snapshot test that
   * fails when a tool changes.
   */
  listTools(): Promise<readonly Tool[]>;
  callTool(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
  /**
   * Calls a tool, sends the corresponding direct request, and compares the responses.
   * @throws AssertionError if the responses differ. The message contains the difference
   */
  expectSameAsHttp(
    name: string,
    args: Record<string, unknown>,
    direct: DirectRequest,
  ): Promise<void>;
  /** Closes the connection. If there is a session, also closes the session. */
  close(): Promise<void>;
}

/**
 * Connects the official client to an application in a test. Initializes the application if
 * necessary; the application does not have to listen.
 * @throws McpOptionError for an unknown option or an invalid value
 * @throws MissingPeerError if `@modelcontextprotocol/client` is not installed
 *
 * @example
 * ```ts
 * const client = await createMcpTestClient(app, { token: 'secret' });
 * expect(await client.listTools()).toMatchSnapshot();
 * ```
 */
export async function createMcpTestClient(
  app: INestApplication,
  options: McpTestClientOptions = {},
): Promise<McpTestClient> {
  const { token, headers, endpoint, era } = readOptions(
    options,
    OPTIONS,
    placeOf('createMcpTestClient'),
  );
  await app.init();
  await (app.getHttpAdapter().getInstance() as { ready?: () => PromiseLike<unknown> }).ready?.();
  const fetch = inProcessFetch(app);
  const sent = { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const { endpointPath } = app.get(McpAdapter, { strict: false });
  const url = new URL(endpoint ?? endpointPath, ORIGIN);
  const { client, close } = await connected(url, { fetch, requestInit: { headers: sent } }, era);

  async function callTool(name: string, args: Record<string, unknown> = {}) {
    return await client.callTool({ name, arguments: args });
  }

  return {
    callTool,
    async listTools() {
      const { tools } = await client.listTools({ _meta: { [EVERY_TOOL]: true } });
      return tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    async expectSameAsHttp(name, args, direct) {
      readOptions(direct, DIRECT_REQUEST, placeOf('expectSameAsHttp'));
      const result = await callTool(name, args);
      const response = await fetch(new URL(direct.path, ORIGIN), requestOf(direct, sent));
      deepStrictEqual(
        resultOutcome(result),
        await responseOutcome(response, fileOf(result.content[0]) !== undefined),
        `Tool "${name}" and ${direct.method} ${direct.path} have different responses`,
      );
    },
    close,
  };
}

/** No server listens at this URL: requests stay in the process. */
const ORIGIN = 'http://localhost';

/** Connects the official client for one protocol version of MCP. */
async function connected(
  url: URL,
  options: StreamableHTTPClientTransportOptions,
  era: NonNullable<McpTestClientOptions['era']>,
): Promise<{ client: Client; close: () => Promise<void> }> {
  const sdk = await officialClient();
  const transport = new sdk.StreamableHTTPClientTransport(url, options);
  const client = new sdk.Client(
    { name: 'mcp-test-client', version: '1.0.0' },
    era === '2026-07-28' ? { versionNegotiation: { mode: { pin: era } } } : {},
  );
  await client.connect(transport);

  const close = async () => {
    if (era === '2025-11-25') await transport.terminateSession();
    await client.close();
  };
  return { client, close };
}

function requestOf({ method, body }: DirectRequest, sent: Record<string, string>): RequestInit {
  if (body === undefined) return { method, headers: sent };
  const headers = { ...sent, 'content-type': 'application/json' };
  return { method, headers, body: JSON.stringify(body) };
}

/** The parts of a result that tool calls and direct requests share. */
interface Outcome {
  readonly isError: boolean | undefined;
  /** Text, or the base64 of an image or a sound. */
  readonly body: string | undefined;
}

function resultOutcome({ isError, content: [block] }: CallToolResult): Outcome {
  return { isError, body: block?.type === 'text' ? block.text : (fileOf(block) ?? block?.type) };
}

/** Returns the base64 of an image or a sound. */
function fileOf(block: CallToolResult['content'][number] | undefined): string | undefined {
  return block?.type === 'image' || block?.type === 'audio' ? block.data : undefined;
}

async function responseOutcome(response: Response, isFile: boolean): Promise<Outcome> {
  const body = isFile
    ? Buffer.from(await response.arrayBuffer()).toString('base64')
    : await response.text();
  return { isError: !response.ok, body: body || emptyText(response.status) };
}

function emptyText(status: number): string {
  return status === 204 ? '(204 No Content)' : `(${status}, empty body)`;
}

function officialClient(): Promise<typeof import('@modelcontextprotocol/client')> {
  const name = '@modelcontextprotocol/client';
  return importPeer(
    name,
    () => import('@modelcontextprotocol/client'),
    (cause) => new MissingPeerError(name, 'createMcpTestClient()', cause),
  );
}
