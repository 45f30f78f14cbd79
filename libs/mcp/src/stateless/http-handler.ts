import type { ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '../calls/caller.js';
import type { EndpointOptions } from '../mcp.defaults.js';
import { nameHeaderOf } from '../messages/mcp-name.js';
import type { Refusal } from '../messages/refusals.js';
import { methodsOf } from '../operations/methods.js';
import { isInstalled } from '../operations/on-demand.js';
import type { Operations } from '../operations/operations.js';
import type { ParamsCheck } from '../operations/params-check.js';
import { isRecord } from '../schema/json-schema.js';
import { LISTEN } from './envelope.js';
import { roundStateCodec, type RoundStateCodec } from './input-rounds.js';
import { statelessServers, type StatelessSetup } from './stateless-sdk.js';
import type { Tasks } from './tasks/tasks.js';

/** Serves clients of revision 2026-07-28 over HTTP with the MCP SDK. */
export interface StatelessHandler {
  /** True if a POST belongs to this revision. Then this handler also sends its refusals. */
  owns(body: unknown, headers: StatelessHeaders): boolean;
  /** Answers one message, from a web `Request` to a web `Response`. */
  answer(request: Request, body: unknown, caller: Caller): Promise<Response>;
  /** Describes what is wrong with the parameters of a request. */
  readonly paramsFault: ParamsCheck;
  /** Notifies listening clients that a resource changed. */
  resourceUpdated(uri: string): void;
  readonly codec: RoundStateCodec;
  /** Ends the streams of listening clients. */
  stopListening(): Promise<void>;
  /** Ends every running exchange. */
  close(): Promise<void>;
}

/** The headers that distinguish the revisions. */
interface StatelessHeaders {
  readonly protocolVersion: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/**
 * A request that the SDK answers. It creates a server for each, to which it passes the web `Request`: by that, caller
 * and refusal are found.
 */
interface Served {
  readonly caller: Caller;
  /** Set by a fault that has an HTTP status. */
  refusal?: Refusal;
}

/** True if the SDK can be resolved. It is imported when the first request needs it. */
export function findsStatelessSdk(): boolean {
  return isInstalled(() => import.meta.resolve('@modelcontextprotocol/server'));
}

/** Loads the SDK of revision 2026-07-28. */
export async function loadStatelessHandler(
  options: EndpointOptions,
  operations: Operations,
  tasks: Tasks | undefined,
  onError: (error: Error) => void,
): Promise<StatelessHandler> {
  const sdk = await import('@modelcontextprotocol/server');
  const requests = new WeakMap<Request, Served>();
  const servedIn = ({ http }: ServerContext) => http?.req && requests.get(http.req);
  const codec = roundStateCodec(sdk, options);
  const onRefusal: StatelessSetup['onRefusal'] = (refusal, context) =>
    refuse(servedIn(context), refusal);
  const createServer = statelessServers(
    { sdk, options, operations, codec, tasks, onRefusal },
    (context) => servedIn(context)?.caller,
  );
  const handlerOf = () =>
    sdk.createMcpHandler(createServer, { legacy: 'reject', onerror: onError });
  const handler = handlerOf();
  // A second handler, because a handler closes as a whole: on shutdown, listeners end before running calls.
  const listening = handlerOf();

  return {
    codec,
    paramsFault: operations.paramsCheck(methodsOf(operations).keys()),
    owns: (body, headers) => isOwned(sdk, body, headers),
    async answer(request, body, caller) {
      const served: Served = { caller };
      requests.set(request, served);
      if (caller.via !== undefined) renameCall(request.headers, body);
      const answering = isRecord(body) && body['method'] === LISTEN ? listening : handler;
      const response = await answering.fetch(request, { parsedBody: body });
      return served.refusal ? refused(response, served.refusal) : response;
    },
    resourceUpdated: (uri) => listening.notify.resourceUpdated(uri),
    stopListening: () => listening.close(),
    close: () => handler.close(),
  };
}

function refuse(served: Served | undefined, refusal: Refusal): void {
  if (served) served.refusal = refusal;
}

/** The SDK's answer to a request that ended with a fault, with the status of the fault. */
function refused(answer: Response, { status, headers }: Refusal): Response {
  const sent = new Headers(answer.headers);
  for (const [name, value] of Object.entries(headers ?? {})) sent.set(name, value);
  return new Response(answer.body, { status, headers: sent });
}

/** The SDK compares the header with the message, which names the tool that is run. */
function renameCall(headers: Headers, body: unknown): void {
  const params = isRecord(body) && body['params'];
  if (headers.has('mcp-name') && isRecord(params)) {
    headers.set('mcp-name', nameHeaderOf(String(params['name'])));
  }
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
