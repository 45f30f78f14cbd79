import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '../calls/caller.js';
import { type Abortable, abortOn } from '../calls/peer.js';
import type { McpClientInfo } from '../mcp.definitions.js';
import type { EndpointOptions } from '../mcp.defaults.js';
import { type JsonObject, RequestFault } from '../messages/json-rpc.js';
import type { Notifier } from '../messages/notifications.js';
import { type Refusal, RefusalFault } from '../messages/refusals.js';
import { methodsOf } from '../operations/methods.js';
import type { Answer } from '../operations/answer.js';
import type { McpCapabilities } from '../operations/capabilities.js';
import type { Operations } from '../operations/operations.js';
import { isRecord } from '../schema/json-schema.js';
import { CAPABILITIES_KEY, CLIENT_KEY } from './envelope.js';
import {
  callDigest,
  type CallIdentity,
  InputRounds,
  missingCapabilities,
  roundAnswer,
  type RoundState,
  type RoundStateCodec,
} from './input-rounds.js';
import { type StatelessClient, StatelessPeer } from './stateless-peer.js';
import { TASKS_EXTENSION } from './tasks/task-capability.js';
import { answerTaskMethods } from './tasks/task-methods.js';
import { createdTask } from './tasks/task-result.js';
import { callNamed } from './tasks/task-calls.js';
import type { TaskAnswer, Tasks } from './tasks/tasks.js';

type Sdk = typeof import('@modelcontextprotocol/server');

/** What the SDK's servers are created with. */
export interface StatelessSetup {
  readonly sdk: Sdk;
  readonly options: EndpointOptions;
  readonly operations: Operations;
  readonly codec: RoundStateCodec;
  /** Undefined: no tool has tasks. */
  readonly tasks: Tasks | undefined;
  /** Told of faults with an HTTP status, for which the SDK has none. */
  readonly onRefusal?: (refusal: Refusal, context: ServerContext) => void;
}

/**
 * Returns a function that creates the SDK's protocol servers for 2026-07-28. Over stdio they also serve
 * earlier revisions: then the SDK sends the questions of a call to the client.
 */
export function statelessServers(
  setup: StatelessSetup,
  callerOf: (context: ServerContext) => Caller | undefined,
): () => Server {
  const { sdk, operations, codec, tasks } = setup;
  const { server: serverInfo, instructions } = setup.options;
  const methods = methodsOf(operations);
  const capabilities = withTasks(operations.capabilities, tasks);
  const callerIn = foundCaller(sdk, callerOf);

  return () => {
    const server = new sdk.Server(serverInfo, {
      capabilities,
      requestState: { verify: (state, context) => codec.verify(state, context) },
      ...(instructions !== undefined && { instructions }),
    });
    for (const [method, handle] of methods) {
      server.setRequestHandler(
        method as 'tools/call',
        async ({ params = {} }: { params?: JsonObject }, context) => {
          const caller = callerIn(context);
          const rounds = roundsOf(sdk, callOf(method, params, caller), context);
          const peer = peerOf(server, rounds, context);
          caller.watch?.from(peer.client);
          const running = () =>
            tasks && method === 'tools/call' && context.mcpReq.envelope
              ? callNamed(tasks, params, peer, handle)
              : handle(params, peer);
          return (await answered(running, peer, context, setup)) as never;
        },
      );
    }
    if (tasks) {
      answerTaskMethods(server, tasks, callerIn, (context, answering) =>
        protocolErrors(setup, context, answering),
      );
    }
    return server;
  };
}

/** @throws ProtocolError if the request ends with an error */
function answered(
  running: () => Promise<Answer<object> | TaskAnswer>,
  peer: StatelessPeer,
  context: ServerContext,
  setup: StatelessSetup,
): Promise<object> {
  return protocolErrors(setup, context, async () => {
    const answer = await running();
    if (answer.kind === 'result') return answer.result;
    // The SDK refuses a result of `tools/call` without content.
    if (answer.kind === 'task') return { ...createdTask(answer.created), content: [] };
    // Revisions before 2026-07-28 have no error for this. A tool reports it in its result.
    const isLegacy = context.mcpReq.envelope === undefined;
    if (isLegacy && answer.result && missingCapabilities(peer)) return answer.result;
    return await roundAnswer(peer, () => setup.codec);
  });
}

/** Turns a RequestFault into the error of the SDK. */
async function protocolErrors<Result>(
  { sdk, onRefusal }: StatelessSetup,
  context: ServerContext,
  answering: () => Promise<Result>,
): Promise<Result> {
  try {
    return await answering();
  } catch (error) {
    if (error instanceof RefusalFault) onRefusal?.(error.refusal, context);
    if (error instanceof RequestFault) {
      throw new sdk.ProtocolError(error.code, error.message, error.data);
    }
    throw error;
  }
}

function foundCaller(
  sdk: Sdk,
  callerOf: (context: ServerContext) => Caller | undefined,
): (context: ServerContext) => Caller {
  return (context) => {
    const caller = callerOf(context);
    if (caller) return caller;
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InternalError, 'The request is over');
  };
}

function withTasks(capabilities: McpCapabilities, tasks: Tasks | undefined): McpCapabilities {
  if (!tasks) return capabilities;
  return { ...capabilities, extensions: { ...capabilities.extensions, [TASKS_EXTENSION]: {} } };
}

function callOf(
  method: string,
  { name, uri, arguments: args }: JsonObject,
  caller: Caller,
): CallIdentity {
  return { method, name: String(name ?? uri), args: isRecord(args) ? args : {}, caller };
}

function peerOf(server: Server, rounds: InputRounds, context: ServerContext): StatelessPeer {
  const started = (call: Abortable) => abortOn(context.mcpReq.signal, call);
  return new StatelessPeer(clientOf(server, context), rounds, notifierOf(context), started);
}

/** @throws ProtocolError if the state belongs to another call */
function roundsOf(sdk: Sdk, call: CallIdentity, { mcpReq }: ServerContext): InputRounds {
  const state = mcpReq.requestState<RoundState>();
  if (state !== undefined && state.call !== callDigest(call)) {
    throw new sdk.ProtocolError(
      sdk.ProtocolErrorCode.InvalidParams,
      'Invalid or expired requestState',
      { reason: 'invalid_request_state' },
    );
  }
  return new InputRounds(call, mcpReq.inputResponses, state);
}

/** The client, from the envelope of the request or from the handshake of its connection. */
function clientOf(server: Server, { mcpReq }: ServerContext): StatelessClient {
  const envelope = mcpReq.envelope as JsonObject | undefined;
  const client = envelope?.[CLIENT_KEY] ?? server.getClientVersion();
  const capabilities = envelope?.[CAPABILITIES_KEY] ?? server.getClientCapabilities() ?? {};
  return {
    client: client as McpClientInfo | undefined,
    capabilities: capabilities as JsonObject,
    structured: envelope === undefined ? 'object' : 'json',
  };
}

/** The SDK drops log messages that the client did not ask for. Progress is checked here. */
function notifierOf({ mcpReq }: ServerContext): Notifier {
  const progressToken = mcpReq._meta?.progressToken;
  // A disconnected client is not an error.
  const sent = (sending: Promise<void>) => void sending.catch(() => undefined);
  return {
    progress(progress: number, total?: number, message?: string) {
      if (progressToken === undefined) return;
      const params = {
        progressToken,
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      };
      sent(mcpReq.notify({ method: 'notifications/progress', params }));
    },
    log(level: Parameters<typeof mcpReq.log>[0], data: unknown, logger?: string) {
      sent(mcpReq.log(level, data ?? null, logger));
    },
  };
}
