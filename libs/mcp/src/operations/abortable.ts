/** Waits for how a call ends; it is ended when the signal fires. */
export async function abortable<T>(
  call: { abort(): void },
  ending: Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const abort = () => call.abort();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await ending;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
