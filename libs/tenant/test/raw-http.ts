import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON. */
  readonly body: unknown;
}

/**
 * Sends a request as it is written, which `fetch` would correct: repeated headers, any `Host`, any
 * target.
 * @param target such as `/acme` or `http://other/acme`
 * @param headers lines such as `X-Tenant-ID: acme`; `Host: localhost` unless one names a host
 */
export async function sendRaw(
  url: string,
  target: string,
  headers: readonly string[] = [],
  method = 'GET',
): Promise<RawAnswer> {
  const { port, hostname } = new URL(url);
  const host = headers.some((line) => /^host:/i.test(line)) ? [] : ['Host: localhost'];
  const lines = [`${method} ${target} HTTP/1.1`, ...host, ...headers, 'Connection: close', '', ''];
  const socket = connect(Number(port), hostname);
  // Not `end`: Node's server drops a request whose client has closed its side.
  socket.write(Buffer.from(lines.join('\r\n'), 'latin1'));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return answerOf(Buffer.concat(chunks).toString());
}

function answerOf(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const body = text.slice(end + 4);
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  // A chunked body stands in lines of its own; these answers are small and have a length.
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: isJson ? JSON.parse(body) : body,
  };
}
