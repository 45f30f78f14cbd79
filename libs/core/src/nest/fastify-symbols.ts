/**
 * Reads a value that Fastify or a plugin stores under a private symbol. Returns undefined if it
 * does not exist.
 */
export function fastifyInternal<T>(instance: unknown, description: string): T | undefined {
  let holder: object | null = instance ?? null;
  while (holder !== null) {
    const key = Object.getOwnPropertySymbols(holder).find(
      (each) => each.description === description,
    );
    if (key !== undefined) return (instance as Record<symbol, T>)[key];
    holder = Object.getPrototypeOf(holder) as object | null;
  }
  return undefined;
}
