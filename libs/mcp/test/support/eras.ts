import {
  Client as ModernClient,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Client as SessionClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as SessionClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

export type Era = '2025-11-25' | '2026-07-28';

export const eras: [era: Era][] = [['2025-11-25'], ['2026-07-28']];

/** What the person and the machine at the client do. */
export interface ClientBehaviour {
  readonly headers?: Record<string, string>;
  elicit?(params: {
    message: string;
    requestedSchema?: unknown;
    url?: string;
    elicitationId?: string;
  }): object | Promise<object>;
  /** Which elicitations it has. @default forms */
  readonly modes?: readonly ('form' | 'url')[];
  /** Called with the id of a page that the user is done with. */
  completed?(elicitationId: string): void;
  sample?(params: unknown): object;
  roots?(): object;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** The official client of an era, behind one face. */
export interface EraClient {
  readonly client: SessionClient | ModernClient;
  readonly logs: { level: string; data: unknown; logger?: string | undefined }[];
  readonly updates: string[];
  call(
    name: string,
    args?: Record<string, unknown>,
    options?: { onprogress?(progress: Progress): void; signal?: AbortSignal; logLevel?: string },
  ): Promise<CallToolResult>;
  close(): Promise<void>;
}

/** The same client, which calls each tool through `read_tool` or `call_tool`. */
export function throughSearch(client: EraClient): EraClient {
  const call: EraClient['call'] = async (name, args, options) => {
    const sdk = client.client as ModernClient;
    const { tools } = await sdk.listTools({ _meta: { 'fledge/everyTool': true } });
    const isRead = tools.find((tool) => tool.name === name)?.annotations?.readOnlyHint;
    const runner = isRead ? 'read_tool' : 'call_tool';
    return client.call(runner, { name, ...(args && { arguments: args }) }, options);
  };
  return { ...client, call };
}

const INFO = { name: 'spec', version: '1.0.0' };
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

function capabilitiesOf({ elicit, modes = ['form'], sample, roots }: ClientBehaviour) {
  return {
    ...(elicit && { elicitation: Object.fromEntries(modes.map((mode) => [mode, {}])) }),
    ...(sample && { sampling: {} }),
    ...(roots && { roots: {} }),
  };
}

export function connectEra(
  era: Era,
  endpoint: string,
  behaviour: ClientBehaviour = {},
): Promise<EraClient> {
  return era === '2025-11-25'
    ? connectSession(endpoint, behaviour)
    : connectModern(endpoint, behaviour);
}

async function connectSession(url: string, behaviour: ClientBehaviour): Promise<EraClient> {
  const { headers = {}, elicit, completed, sample, roots } = behaviour;
  const transport = new SessionClientTransport(new URL(url), { requestInit: { headers } });
  const client = new SessionClient(INFO, { capabilities: capabilitiesOf(behaviour) });
  const logs: EraClient['logs'] = [];
  const updates: string[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    logs.push(params);
  });
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    updates.push(params.uri);
  });
  if (elicit) {
    client.setRequestHandler(
      ElicitRequestSchema,
      async ({ params }) => (await elicit(params)) as never,
    );
  }
  if (completed) {
    client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
      completed(params.elicitationId);
    });
  }
  if (sample) {
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => sample(params) as never);
  }
  if (roots) client.setRequestHandler(ListRootsRequestSchema, () => roots() as never);
  await client.connect(transport);
  return {
    client,
    logs,
    updates,
    async call(name, args = {}, { onprogress, signal } = {}) {
      const result = await client.callTool({ name, arguments: args }, CallToolResultSchema, {
        ...(onprogress && { onprogress }),
        ...(signal && { signal }),
      });
      return result as CallToolResult;
    },
    async close() {
      await transport.terminateSession();
      await client.close();
    },
  };
}

async function connectModern(url: string, behaviour: ClientBehaviour): Promise<EraClient> {
  const { headers = {}, elicit, sample, roots } = behaviour;
  const client = new ModernClient(INFO, {
    capabilities: capabilitiesOf(behaviour),
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  });
  const logs: EraClient['logs'] = [];
  const updates: string[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => {
    logs.push(params);
  });
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updates.push(params.uri);
  });
  if (elicit) {
    client.setRequestHandler(
      'elicitation/create',
      async ({ params }) => (await elicit(params)) as never,
    );
  }
  if (sample) {
    client.setRequestHandler('sampling/createMessage', ({ params }) => sample(params) as never);
  }
  if (roots) client.setRequestHandler('roots/list', () => roots() as never);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  return {
    client,
    logs,
    updates,
    async call(name, args = {}, { onprogress, signal, logLevel } = {}) {
      const result = await client.callTool(
        {
          name,
          arguments: args,
          ...(logLevel !== undefined && { _meta: { [LOG_LEVEL]: logLevel } }),
        },
        { ...(onprogress && { onprogress }), ...(signal && { signal }) },
      );
      return result as CallToolResult;
    },
    close: () => client.close(),
  };
}
