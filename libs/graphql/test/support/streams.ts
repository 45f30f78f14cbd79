import { until } from '../../../../test/support/until.js';

/** A subscription over an event stream. */
export interface Stream {
  readonly status: number;
  /** What has arrived. */
  text(): string;
  /** Resolves when the server ends the stream, or cuts it off. */
  readonly ended: Promise<void>;
  leave(): void;
}

/** Opens an event stream, and keeps reading it. */
export async function openStream(
  url: string,
  query: string,
  headers: Record<string, string> = {},
): Promise<Stream> {
  const abort = new AbortController();
  const response = await fetch(`${url}?query=${encodeURIComponent(query)}`, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: abort.signal,
  });
  let text = '';
  const read = async () => {
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
    }
  };
  return {
    status: response.status,
    text: () => text,
    ended: read().catch(() => undefined),
    leave: () => abort.abort(),
  };
}

/** Waits until a stream has sent some text. */
export async function heard(stream: Stream, text: string): Promise<void> {
  await until(() => stream.text().includes(text));
}
