import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { isLogLevel } from '../../calls/peer.js';
import type { EndpointOptions } from '../../mcp.defaults.js';
import {
  ErrorCode,
  type JsonObject,
  RequestFault,
  type RequestId,
} from '../../messages/json-rpc.js';
import { type McpMethod, methodsOf } from '../../operations/methods.js';
import { isInstalled } from '../../operations/on-demand.js';
import type { Operations } from '../../operations/operations.js';
import type { ParamsCheck } from '../../operations/params-check.js';
import { clientOf } from './sdk-client.js';
import type { SessionClient, SessionPeer } from './session-peer.js';
import type { SessionSettings } from './session-settings.js';
import { MOST_SUBSCRIPTIONS } from './session-share.js';

/** The SDK's side of a session. */
export interface SessionServer extends Pick<Server, 'connect' | 'close' | 'sendResourceUpdated'> {
  readonly client: SessionClient;
}

/** The state of a session that the SDK's handlers use. */
interface SessionState {
  /** The client of a running request. */
  peerOf(id: RequestId): SessionPeer | undefined;
  /** Aborts when the client can no longer be asked. */
  readonly unreachable: AbortSignal;
  readonly settings: SessionSettings;
}

/** True if the SDK can be resolved. It is imported when the first client needs it. */
export function findsSessionSdk(): boolean {
  return isInstalled(() => import.meta.resolve('@modelcontextprotocol/sdk/server/index.js'));
}

/** Loads the SDK of the revisions up to 2025-11-25. */
export async function loadSessionSdk(
  options: EndpointOptions,
  operations: Operations,
): Promise<SessionSdk> {
  // One after the other: in parallel, the ESM loader of Jest loses modules that they share.
  const { Server } = await import('@modelcontextprotocol/sdk/server/index.js');
  const types = await import('@modelcontextprotocol/sdk/types.js');
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/sdk/validation/ajv');
  // Shared by all sessions: the SDK would create an Ajv instance for each.
  const jsonSchemaValidator = new AjvJsonSchemaValidator();
  return new SessionSdk({ Server, types, jsonSchemaValidator }, options, operations);
}

/** The parts of the SDK that are used. */
interface Sdk {
  readonly Server: typeof Server;
  readonly types: typeof import('@modelcontextprotocol/sdk/types.js');
  readonly jsonSchemaValidator: InstanceType<
    (typeof import('@modelcontextprotocol/sdk/validation/ajv'))['AjvJsonSchemaValidator']
  >;
}

/** Serves clients of the revisions up to 2025-11-25 with the MCP SDK. */
export class SessionSdk {
  /** Describes what is wrong with the parameters of a request. */
  readonly paramsFault: ParamsCheck;
  readonly supportedVersions: readonly string[];
  private readonly methods: ReadonlyMap<string, McpMethod>;

  constructor(
    private readonly sdk: Sdk,
    private readonly options: EndpointOptions,
    private readonly operations: Operations,
  ) {
    this.supportedVersions = sdk.types.SUPPORTED_PROTOCOL_VERSIONS;
    this.methods = methodsOf(operations);
    this.paramsFault = operations.paramsCheck([
      'initialize',
      'logging/setLevel',
      ...this.methods.keys(),
      ...(operations.capabilities.resources
        ? ['resources/subscribe', 'resources/unsubscribe']
        : []),
    ]);
  }

  /** True if the SDK accepts a message. It does not answer messages that it does not accept. */
  isMessage(message: unknown): boolean {
    return this.sdk.types.JSONRPCMessageSchema.safeParse(message).success;
  }

  /** True if a JSON-RPC message is a well-formed `initialize` request. */
  isInitialize(message: unknown): boolean {
    return this.sdk.types.isInitializeRequest(message);
  }

  /** Creates the SDK's protocol server for one session. */
  createServer(session: SessionState): SessionServer {
    const { instructions } = this.options;
    const server = new this.sdk.Server(this.options.server, {
      capabilities: this.operations.capabilities,
      jsonSchemaValidator: this.sdk.jsonSchemaValidator,
      ...(instructions !== undefined && { instructions }),
    });
    this.answerMethods(server, session);
    if (this.operations.capabilities.resources) this.answerSubscriptions(server, session);
    return {
      connect: (transport) => server.connect(transport),
      close: () => server.close(),
      sendResourceUpdated: (params) => server.sendResourceUpdated(params),
      client: clientOf(server, session.unreachable),
    };
  }

  private answerMethods(server: Server, session: SessionState): void {
    const { types } = this.sdk;
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
    // The session answers well-formed `tools/*` requests; the SDK reports malformed ones. A RequestFault is
    // thrown unchanged, because the SDK's error class adds its code to the message.
    for (const [method, handle] of this.methods) {
      server.setRequestHandler(
        schemas[method] as typeof types.PingRequestSchema,
        async ({ params = {} }, { requestId }) => {
          const { result = {} } = await handle(params, peerOf(session, requestId));
          return result;
        },
      );
    }
    server.setRequestHandler(types.SetLevelRequestSchema, async ({ params }) => {
      if (isLogLevel(params.level)) await session.settings.setLogLevel(params.level);
      return {};
    });
  }

  private answerSubscriptions(server: Server, session: SessionState): void {
    const { types } = this.sdk;
    server.setRequestHandler(types.SubscribeRequestSchema, async ({ params }, { requestId }) => {
      const { caller } = peerOf(session, requestId);
      await this.operations.resources.assertFound(params.uri, caller);
      if (!(await session.settings.subscribe(params.uri))) {
        throw new RequestFault(
          ErrorCode.Refused,
          `A session may subscribe to ${MOST_SUBSCRIPTIONS} resources: unsubscribe from some`,
        );
      }
      return {};
    });
    server.setRequestHandler(types.UnsubscribeRequestSchema, async ({ params }) => {
      await session.settings.unsubscribe(params.uri);
      return {};
    });
  }
}

/** The revision that the SDK answers an `initialize` request with. */
export function revisionOf(params: JsonObject | undefined, sdk: SessionSdk): string | undefined {
  const asked = sdk.supportedVersions.find((version) => version === params?.['protocolVersion']);
  return asked ?? sdk.supportedVersions[0];
}

function peerOf(session: SessionState, id: RequestId): SessionPeer {
  const peer = session.peerOf(id);
  if (peer) return peer;
  throw new RequestFault(ErrorCode.InternalError, 'The request is over');
}
