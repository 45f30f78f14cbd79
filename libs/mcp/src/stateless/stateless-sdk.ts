import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '../calls/caller.js';
import type { McpClientInfo } from '../mcp.definitions.js';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import {
  callDigest,
  inputRequired,
  InputRounds,
  missingCapabilities,
  type RoundState,
  type RoundStateCodec,
} from './input-rounds.js';
import { type JsonObject, RequestFault } from '../messages/json-rpc.js';
import { isRecord } from '../schema/json-schema.js';
import { methodsOf } from '../operations/methods.js';
import type { Operations } from '../operations/operations.js';
import { StatelessPeer } from './stateless-peer.js';

type Sdk = typeof import('@modelcontextprotocol/server');

const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';

const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/**
 * Makes protocol servers of the SDK for 2026-07-28. Over stdio they serve the revisions before as
 * well: the SDK itself puts to such a client what a call demands.
 */
export function statelessServers(
  sdk: Sdk,
  { name, version, description }: ResolvedMcpOptions,
  service: Operations,
  codec: RoundStateCodec,
  callerOf: (context: ServerContext) => Caller | undefined,
): () => Server {
  const methods = methodsOf(service);

  return () => {
    const server = new sdk.Server(
      { name, version },
      {
        capabilities: service.capabilities,
        requestState: { verify: (state, context) => codec.verify(state, context) },
        ...(description !== undefined && { instructions: description }),
      },
    );
    for (const [method, handle] of methods) {
      server.setRequestHandler(
        method as 'tools/call',
        async ({ params = {} }: { params?: JsonObject }, context) => {
          const caller = callerOf(context);
          if (!caller) {
            throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InternalError, 'The request is over');
          }
          const rounds = roundsOf(sdk, method, params, caller, context);
          const peer = new StatelessPeer(clientOf(server, context), notifierOf(context), rounds);
          try {
            const result = await handle(params, { caller, peer, signal: context.mcpReq.signal });
            const { demand } = peer;
            if (!demand) return result as never;
            const missing = missingCapabilities(peer);
            if (!missing) return (await inputRequired(demand, rounds, codec)) as never;
            // Revisions before 2026-07-28 have no such error; a tool says it in its result.
            if (context.mcpReq.envelope === undefined && result) return result as never;
            throw missing;
          } catch (error) {
            if (error instanceof RequestFault) {
              throw new sdk.ProtocolError(error.code, error.message, error.data);
            }
            throw error;
          }
        },
      );
    }
    return server;
  };
}

/** @throws ProtocolError where the state belongs to another call */
function roundsOf(
  sdk: Sdk,
  method: string,
  params: JsonObject,
  caller: Caller,
  { mcpReq }: ServerContext,
): InputRounds {
  const { name, uri, arguments: args } = params;
  const call = { method, name: String(name ?? uri), args: isRecord(args) ? args : {}, caller };
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

/** What the client is: by the envelope of the request, or by the handshake of its connection. */
function clientOf(server: Server, { mcpReq }: ServerContext) {
  const envelope = mcpReq.envelope as JsonObject | undefined;
  const info = envelope?.[CLIENT_KEY] ?? server.getClientVersion();
  const capabilities = envelope?.[CAPABILITIES_KEY] ?? server.getClientCapabilities() ?? {};
  return { info: info as McpClientInfo | undefined, capabilities: capabilities as JsonObject };
}

/** The SDK holds messages back that the client did not ask for, but for progress. */
function notifierOf({ mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken;
  // A client that is gone hears nothing; that is its right and no failure.
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
