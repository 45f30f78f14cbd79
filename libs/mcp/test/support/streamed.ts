/** The answer to a POST while it arrives. */
export interface Streamed {
  readonly status: number;
  /** What came so far. */
  text(): string;
  /** Resolves when the stream has ended, with an error or without. */
  readonly ended: Promise<void>;
  leave(): void;
}

/** Sends a message, or a GET without one, and does not wait for the end of the answer. */
export async function streamed(
  url: string,
  message: object | undefined,
  headers: Record<string, string>,
): Promise<Streamed> {
  const leaving = new AbortController();
  const { status, body } = await fetch(url, {
    ...(message && { method: 'POST', body: JSON.stringify(message) }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    signal: leaving.signal,
  });
  let text = '';
  const read = async () => {
    for await (const chunk of body!) text += Buffer.from(chunk).toString();
  };
  return {
    status,
    text: () => text,
    ended: read().catch(() => undefined),
    leave: () => leaving.abort(),
  };
}
