import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Implementation } from '@modelcontextprotocol/sdk/types.js';
import type { McpClientInfo } from '../mcp.definitions.js';
import { isLogLevel, type LogLevel } from '../calls/peer.js';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import { isInstalled } from '../operations/on-demand.js';
import { ErrorCode, RequestFault, type RequestId } from '../messages/json-rpc.js';
import { methodsOf, type RequestContext } from '../operations/methods.js';
import type { Operations } from '../operations/operations.js';
import type { ParamsCheck } from '../operations/params-check.js';
import type { SessionClient } from './session-peer.js';

/** What of the MCP SDK serves clients of the revisions up to 2025-11-25. */
export interface SessionProtocol {
  /** A protocol server for one session. */
  createServer(session: SessionState): SessionServer;
  /** Whether the SDK takes a message at all; one it does not take it never answers. */
  isMessage(message: unknown): boolean;
  /** Whether a JSON-RPC message is a well-formed `initialize` request. */
  isInitialize(message: unknown): boolean;
  /** What is wrong with the parameters of a request. */
  readonly paramsFault: ParamsCheck;
  readonly supportedVersions: readonly string[];
}

/** The SDK's side of a session. */
export interface SessionServer extends Pick<Server, 'connect' | 'close' | 'sendResourceUpdated'> {
  readonly client: SessionClient;
}

/** Our side of a session. */
interface SessionState {
  /** Who sent a request that is under way. */
  contextOf(id: RequestId): Omit<RequestContext, 'signal'> | undefined;
  /** Fires when the client can no longer be asked. */
  readonly unreachable: AbortSignal;
  /** The least log level the client wants. */
  logLevel: LogLevel;
  /** URIs whose changes the client wants to hear of. */
  readonly subscriptions: Set<string>;
}

/** Milliseconds an answer may take: a user is behind it. The SDK's own for 2026-07-28. */
const ASK_TIMEOUT_MS = 600_000;

/** Resources a session may subscribe to: a template stands for any number of them. */
const MOST_SUBSCRIPTIONS = 1_000;

/** Whether the SDK is found. It is imported with the first client that needs it. */
export function findsSessionSdk(): boolean {
  return isInstalled(() => import.meta.resolve('@modelcontextprotocol/sdk/server/index.js'));
}

/** Loads the SDK: here and nowhere else. */
export async function loadSessionProtocol(
  options: ResolvedMcpOptions,
  service: Operations,
): Promise<SessionProtocol> {
  // One after the other: side by side, the ESM loader of Jest loses modules they share.
  const { Server } = await import('@modelcontextprotocol/sdk/server/index.js');
  const types = await import('@modelcontextprotocol/sdk/types.js');
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/sdk/validation/ajv');
  // One for all sessions: the SDK would build an Ajv for each.
  const jsonSchemaValidator = new AjvJsonSchemaValidator();
  const serverInfo: Implementation = { name: options.name, version: options.version };
  const methods = methodsOf(service);
  const schemas: Readonly<Record<string, typeof types.PingRequestSchema>> = {
    'tools/list': types.ListToolsRequestSchema,
    'tools/call': types.CallToolRequestSchema,
    'resources/list': types.ListResourcesRequestSchema,
    'resources/templates/list': types.ListResourceTemplatesRequestSchema,
    'resources/read': types.ReadResourceRequestSchema,
    'prompts/list': types.ListPromptsRequestSchema,
    'prompts/get': types.GetPromptRequestSchema,
    'completion/complete': types.CompleteRequestSchema,
  } as never;

  function clientOf(server: Server, { unreachable }: SessionState): SessionClient {
    return {
      get info() {
        return server.getClientVersion() as McpClientInfo | undefined;
      },
      get capabilities() {
        return server.getClientCapabilities();
      },
      ask({ method, params }, relatedRequestId, signal) {
        const how = {
          relatedRequestId,
          signal: AbortSignal.any([signal, unreachable]),
          timeout: ASK_TIMEOUT_MS,
        };
        switch (method) {
          case 'elicitation/create':
            return server.elicitInput(params as never, how);
          case 'sampling/createMessage':
            return server.createMessage(params as never, how);
          case 'roots/list':
            return server.listRoots(params, how);
        }
      },
    };
  }

  return {
    supportedVersions: types.SUPPORTED_PROTOCOL_VERSIONS,
    isMessage: (message) => types.JSONRPCMessageSchema.safeParse(message).success,
    isInitialize: types.isInitializeRequest,
    paramsFault: service.paramsCheck([
      'initialize',
      'logging/setLevel',
      ...methods.keys(),
      ...(service.capabilities.resources ? ['resources/subscribe', 'resources/unsubscribe'] : []),
    ]),
    createServer(session) {
      const server = new Server(serverInfo, {
        capabilities: service.capabilities,
        jsonSchemaValidator,
        ...(options.description !== undefined && { instructions: options.description }),
      });
      function contextOf(id: RequestId): Omit<RequestContext, 'signal'> {
        const context = session.contextOf(id);
        if (context) return context;
        throw new RequestFault(ErrorCode.InternalError, 'The request is over');
      }

      // The session answers well-formed `tools/*` itself; what is odd about the others, the SDK says. A
      // fault passes as it is: the SDK's own error would write its code into the message.
      for (const [method, handle] of methods) {
        server.setRequestHandler(
          schemas[method] as typeof types.PingRequestSchema,
          async ({ params }, { requestId, signal }) =>
            (await handle(params ?? {}, { ...contextOf(requestId), signal })) ?? {},
        );
      }
      server.setRequestHandler(types.SetLevelRequestSchema, ({ params }) => {
        if (isLogLevel(params.level)) session.logLevel = params.level;
        return {};
      });
      if (service.capabilities.resources) {
        server.setRequestHandler(
          types.SubscribeRequestSchema,
          async ({ params }, { requestId }) => {
            const { caller } = contextOf(requestId);
            await service.resources.assertFound(params.uri, caller);
            if (session.subscriptions.size >= MOST_SUBSCRIPTIONS) {
              throw new RequestFault(
                ErrorCode.Refused,
                `A session may subscribe to ${MOST_SUBSCRIPTIONS} resources: unsubscribe from some`,
              );
            }
            session.subscriptions.add(params.uri);
            return {};
          },
        );
        server.setRequestHandler(types.UnsubscribeRequestSchema, ({ params }) => {
          session.subscriptions.delete(params.uri);
          return {};
        });
      }
      return {
        connect: (transport) => server.connect(transport),
        close: () => server.close(),
        sendResourceUpdated: (params) => server.sendResourceUpdated(params),
        client: clientOf(server, session),
      };
    },
  };
}
