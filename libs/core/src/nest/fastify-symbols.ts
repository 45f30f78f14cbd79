/** Reads what Fastify and its plugins keep under a symbol that they do not export; undefined if it is not there. */
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
