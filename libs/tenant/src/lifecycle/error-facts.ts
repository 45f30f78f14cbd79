/** Maximum number of causes to read, because causes may form a cycle. */
const MAX_CAUSES = 5;

/** If an ORM has wrapped the database's error, the database's message and code are in a cause. */
export function describeError(error: unknown): {
  readonly message: string;
  readonly code?: string;
} {
  const chain: unknown[] = [error];
  while (chain.length < MAX_CAUSES) {
    const { cause } = Object(chain.at(-1)) as { readonly cause?: unknown };
    if (cause === undefined || cause === null) break;
    chain.push(cause);
  }
  let message = '';
  for (const it of chain) {
    const said = it instanceof Error ? it.message : String(it);
    if (!message.includes(said)) message = message === '' ? said : `${message}: ${said}`;
  }
  const code = chain
    .map((it) => (Object(it) as { readonly code?: unknown }).code)
    .find((it) => typeof it === 'string');
  return {
    message: message || 'Error without a message',
    ...(code !== undefined && { code }),
  };
}
