import type { Caller } from '../calls/caller.js';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import { methodsOf } from '../operations/methods.js';
import { isInstalled } from '../operations/on-demand.js';
import type { Operations } from '../operations/operations.js';
import type { ParamsCheck } from '../operations/params-check.js';
import { isRecord } from '../schema/json-schema.js';
import { roundStateCodec, type RoundStateCodec } from './input-rounds.js';
import { statelessServers } from './stateless-sdk.js';

/** What of the MCP SDK serves clients of revision 2026-07-28 over HTTP. */
export interface StatelessHandler {
  /** Whether a POST belongs to this revision; its refusals are this handler's to give as well. */
  owns(body: unknown, headers: StatelessHeaders): boolean;
  /** Answers one message, from the web's request to the web's response. */
  answer(request: Request, body: unknown, caller: Caller): Promise<Response>;
  /** What is wrong with the parameters of a request. */
  readonly paramsFault: ParamsCheck;
  /** Tells those that listen that a resource changed. */
  resourceUpdated(uri: string): void;
  readonly codec: RoundStateCodec;
  /** Ends the streams of those that listen for changes. */
  stopListening(): Promise<void>;
  /** Ends every exchange under way. */
  close(): Promise<void>;
}

/** The headers that take part in telling the revisions apart. */
interface StatelessHeaders {
  readonly protocolVersion: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/** The request whose answer is a stream of changes, open until the client has enough. */
export const LISTEN = 'subscriptions/listen';

/** Whether the SDK is found. It is imported with the first request that needs it. */
export function findsStatelessSdk(): boolean {
  return isInstalled(() => import.meta.resolve('@modelcontextprotocol/server'));
}

/** Loads the SDK of revision 2026-07-28. */
export async function loadStatelessHandler(
  options: ResolvedMcpOptions,
  operations: Operations,
  onError: (error: Error) => void,
): Promise<StatelessHandler> {
  const sdk = await import('@modelcontextprotocol/server');
  // The SDK makes a server for each request and hands it the web's request: from that the caller is
  // found again.
  const callers = new WeakMap<Request, Caller>();
  const codec = roundStateCodec(sdk, options);
  const createServer = statelessServers(
    { sdk, options, operations, codec },
    ({ http }) => http?.req && callers.get(http.req),
  );
  const handlerOf = () =>
    sdk.createMcpHandler(createServer, { legacy: 'reject', onerror: onError });
  const handler = handlerOf();
  // Apart from the rest, since a handler closes as a whole: listeners leave before calls are waited for.
  const listening = handlerOf();

  return {
    codec,
    paramsFault: operations.paramsCheck(methodsOf(operations).keys()),
    owns: (body, headers) => isOwned(sdk, body, headers),
    answer(request, body, caller) {
      callers.set(request, caller);
      const answering = isRecord(body) && body['method'] === LISTEN ? listening : handler;
      return answering.fetch(request, { parsedBody: body });
    },
    resourceUpdated: (uri) => listening.notify.resourceUpdated(uri),
    stopListening: () => listening.close(),
    close: () => handler.close(),
  };
}

function isOwned(
  sdk: Pick<typeof import('@modelcontextprotocol/server'), 'classifyInboundRequest'>,
  body: unknown,
  { protocolVersion, method, name }: StatelessHeaders,
): boolean {
  const outcome = sdk.classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(protocolVersion !== undefined && { protocolVersionHeader: protocolVersion }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name }),
  });
  return outcome.kind !== 'legacy';
}
