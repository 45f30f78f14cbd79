import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { until } from '../../../../test/support/until.js';

/** A subscription over an event stream. */
export interface Stream {
  readonly status: number;
  /** What has arrived. */
  text(): string;
  /** Resolves when the server ends the stream, or cuts it off. */
  readonly ended: Promise<void>;
  leave(): void;
  /** Stops reading. */
  pause(): void;
}

/**
 * Opens an event stream, and keeps reading it. Not by fetch: after an abort it opens another connection, without
 * a request, for which a closing Fastify waits.
 */
export async function openStream(
  url: string,
  query: string,
  headers: Record<string, string> = {},
): Promise<Stream> {
  const sent = request(`${url}?query=${encodeURIComponent(query)}`, {
    headers: { accept: 'text/event-stream', ...headers },
    agent: false,
  });
  sent.on('error', () => undefined).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => (text += part));
  return {
    status: response.statusCode ?? 0,
    text: () => text,
    ended: new Promise((resolve) => response.on('error', () => undefined).on('close', resolve)),
    leave: () => sent.destroy(),
    pause: () => response.pause(),
  };
}

/** Waits until a stream has sent some text. */
export async function heard(stream: Stream, text: string): Promise<void> {
  await until(() => stream.text().includes(text));
}
