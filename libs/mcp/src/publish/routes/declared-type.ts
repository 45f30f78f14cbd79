/** Metadata key of Nest's `@Header`. */
const HEADERS = '__headers__';

interface DeclaredHeader {
  readonly name: string;
  readonly value: unknown;
}

/**
 * Returns the media type that a route declares with `@Header('content-type', '...')`, or undefined.
 */
export function declaredTypeOf(handler: Function): string | undefined {
  const headers = Reflect.getMetadata(HEADERS, handler) as readonly DeclaredHeader[] | undefined;
  const type = headers?.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
  return typeof type === 'string' ? type : undefined;
}
