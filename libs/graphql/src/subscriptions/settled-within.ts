/** How a piece of work ended: with its value, with its error, not in time, or after its owner had left. */
export type Outcome =
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'late' }
  | { readonly kind: 'left' };

/** Waits for work until its time is up or its owner leaves. Does not reject. Keeps neither timer nor listener. */
export function settledWithin(
  work: Promise<unknown>,
  milliseconds: number,
  owner: AbortSignal,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const settle = (outcome: Outcome) => {
      clearTimeout(timer);
      owner.removeEventListener('abort', left);
      resolve(outcome);
    };
    const left = () => settle({ kind: 'left' });
    const timer = setTimeout(() => settle({ kind: 'late' }), milliseconds);
    // A check must not keep a process alive that is about to exit.
    timer.unref();
    if (owner.aborted) left();
    else owner.addEventListener('abort', left);
    work.then(
      (value) => settle({ kind: 'done', value }),
      (error: unknown) => settle({ kind: 'failed', error }),
    );
  });
}
