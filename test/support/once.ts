/** Calls a function once, and returns its result each time: for applications that several tests only read from. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
