import { once } from 'node:events';
import { connect } from 'node:net';

/** A response to a pipelined request. */
export interface PipelinedAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * Posts JSON bodies over one connection, without waiting for answers in between: many requests in little time of
 * the client.
 */
export async function pipelined(
  url: string,
  bodies: readonly object[],
): Promise<PipelinedAnswer[]> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  for (const body of bodies) {
    const json = JSON.stringify(body);
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n` +
        `accept: application/graphql-response+json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
    );
  }
  const answers: PipelinedAnswer[] = [];
  let rest = '';
  socket.setEncoding('latin1');
  for await (const part of socket) {
    rest += part as string;
    rest = take(rest, answers);
    if (answers.length >= bodies.length) break;
  }
  return answers;
}

/** Moves the complete responses of a text into a list. Returns the rest. */
function take(text: string, answers: PipelinedAnswer[]): string {
  let at = 0;
  for (;;) {
    const end = text.indexOf('\r\n\r\n', at);
    if (end < 0) return text.slice(at);
    const head = text.slice(at, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    const start = end + 4;
    if (text.length < start + length) return text.slice(at);
    answers.push({ status: Number(head.slice(9, 12)), body: text.slice(start, start + length) });
    at = start + length;
  }
}
