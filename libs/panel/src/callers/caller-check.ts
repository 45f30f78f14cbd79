import { contextOfRequest, tenantOfRequest } from '@fledge/core/packages';
import { AsyncLocalStorage } from 'node:async_hooks';
import { type IncomingMessage, request as sendRequest, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { hostOf } from '../access/local-request.js';
import { userNameOf } from '../calls/user-name.js';
import { cutText } from '../calls/cut-value.js';
import type { CheckedCaller } from '../panel.api.js';
import { PanelRefusal } from '../panel.errors.js';

/** Maximum milliseconds to wait for the response of a route. */
const LONGEST_MS = 10_000;

/** Maximum bytes that are read from an error body to find its message. */
const MOST_BYTES = 16_384;

/** Maximum characters of a displayed message. */
const LONGEST_MESSAGE = 500;

type Headers = Readonly<Record<string, string>>;

/**
 * Calls a GET route with the headers of a caller. Returns the user that the application found. A
 * check is a real request to the HTTP server, so middleware, guards and filters run. The request
 * uses a pair of streams instead of a network connection.
 */
export class CallerChecks {
  // A check must not run in the async context of the panel's request. Requests from the network do
  // not share a context either.
  private readonly outside = AsyncLocalStorage.snapshot();

  constructor(private readonly server: () => Server) {}

  /**
   * @param headers the headers of the caller. Names are in lower case
   * @param page the request of the panel's page. The check uses the peer address and the other
   * headers of this request, such as cookies
   * @throws PanelRefusal
   */
  run(route: string, headers: Headers, page: IncomingMessage): Promise<CheckedCaller> {
    return this.outside(() =>
      checked(this.server(), { path: route, headers: checkHeaders(page, headers) }, page.socket),
    );
  }
}

interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

async function checked(server: Server, sent: Sent, peer: Socket): Promise<CheckedCaller> {
  const { client, connection, event } = connectionLike(peer, server);
  let seen: IncomingMessage | undefined;
  const see = (request: IncomingMessage): void => {
    if (request.socket === (connection as unknown)) seen = request;
  };
  server.on('request', see);
  try {
    server.emit(event, connection);
    const response = await responseTo(sent, client);
    // Node.js itself sent this response, because the server does not accept HTTP/1.
    if (seen === undefined && response.httpVersion === '1.0') {
      throw new Error('the server accepts only HTTP/2. Set its option `allowHTTP1`');
    }
    return await answerOf(response, seen);
  } catch (error) {
    const fact = `${sent.path} did not respond: ${whyOf(error)}.`;
    throw new PanelRefusal(504, 'PANEL_NO_ANSWER', fact);
  } finally {
    server.off('request', see);
    client.destroy();
    connection.destroy();
  }
}

/**
 * Connects to the server without a network. The connection has the peer address of the given
 * socket. Node's HTTP servers accept any duplex stream as a connection.
 */
function connectionLike(peer: Socket, server: Server) {
  const [client, connection] = duplexPair();
  const { remoteAddress, remotePort, remoteFamily, localAddress, localPort } = peer;
  const { encrypted = false } = peer as { encrypted?: boolean };
  const facts = {
    remoteAddress,
    remotePort,
    remoteFamily,
    localAddress,
    localPort,
    encrypted,
    // A server for HTTP/2 reads these two. With the option `allowHTTP1`, it accepts the request.
    alpnProtocol: 'http/1.1',
    server,
  };
  Object.assign(connection, facts);
  // The application may close the connection without a response. A stream pair does not forward
  // this event.
  connection.once('close', () => client.destroy());
  return { client, connection, event: encrypted ? 'secureConnection' : 'connection' };
}

function responseTo({ path, headers }: Sent, client: Duplex): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = sendRequest({
      createConnection: () => client,
      path,
      headers: headers as Record<string, string>,
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    request.once('response', resolve);
    request.on('error', reject);
    request.end();
  });
}

/**
 * Matches headers that describe the body or the connection of the panel's own request. Checks do
 * not copy these headers.
 */
const OWN =
  /^(:.*|accept-encoding|connection|content-.*|expect|if-.*|keep-alive|origin|te|trailer|transfer-encoding|upgrade)$/;

function checkHeaders({ headers: page }: IncomingMessage, headers: Headers): Sent['headers'] {
  const kept = Object.entries(page).filter(
    (entry): entry is [string, string | string[]] => entry[1] !== undefined && !OWN.test(entry[0]),
  );
  const host = hostOf(page);
  return {
    ...Object.fromEntries(kept),
    ...(host !== undefined && { host }),
    ...headers,
    connection: 'close',
  };
}

async function answerOf(
  response: IncomingMessage,
  request: IncomingMessage | undefined,
): Promise<CheckedCaller> {
  const status = response.statusCode ?? 0;
  const user = userNameOf(request && contextOfRequest(request));
  const tenant = request && tenantOfRequest(request)?.id;
  const message = status < 400 ? undefined : messageIn(await startOf(response));
  return {
    status,
    ...(user !== undefined && { user }),
    ...(tenant !== undefined && { tenant }),
    ...(message !== undefined && { message }),
  };
}

async function startOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MOST_BYTES) break;
  }
  return Buffer.concat(chunks).toString();
}

/**
 * Returns the `message` of an error body in Nest's format. For plain text, returns the body itself.
 */
function messageIn(body: string): string | undefined {
  const parsed = parse(body);
  const message = (parsed as { message?: unknown } | null | undefined)?.message;
  const text = [message]
    .flat()
    .filter((part) => typeof part === 'string')
    .join('. ');
  if (text !== '') return cutText(text, LONGEST_MESSAGE);
  return body === '' || parsed !== undefined || body.startsWith('<')
    ? undefined
    : cutText(body, LONGEST_MESSAGE);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

function whyOf(error: unknown): string {
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === 'AbortError') return `the request took longer than ${LONGEST_MS / 1_000} s`;
  return code === 'ECONNRESET' ? 'the application closed the connection' : message;
}
