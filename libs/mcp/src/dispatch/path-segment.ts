/** An argument that cannot become part of a request. The message is for the client. */
export class ArgumentError extends Error {
  constructor(argument: string, reason: string) {
    super(`Argument "${argument}" ${reason}.`);
    this.name = 'ArgumentError';
  }
}

/**
 * The text of an argument that stands in a path or a query.
 * @throws ArgumentError for what has no text, and for a lone surrogate, which no URL can carry
 */
export function textOf(argument: string, value: unknown): string {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new ArgumentError(argument, 'is not well-formed Unicode');
      return value;
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    default:
      throw new ArgumentError(argument, 'must be text, a number or a boolean');
  }
}

/**
 * A value as one path segment. `.`, `..` and the empty segment are refused: they name another
 * resource (RFC 3986 §5.2.4), and no percent-encoding protects a dot segment (§2.3).
 * @throws ArgumentError
 */
export function pathSegment(argument: string, value: unknown): string {
  const text = textOf(argument, value);
  if (text === '') throw new ArgumentError(argument, 'must not be empty: it is part of the path');
  if (text === '.' || text === '..') {
    throw new ArgumentError(argument, `must not be "${text}": it is part of the path`);
  }
  return encodeURIComponent(text);
}

/**
 * A value as one or more path segments, parted by slashes.
 * @throws ArgumentError when any of them is refused by `pathSegment`
 */
export function pathSegments(argument: string, value: unknown): string[] {
  return textOf(argument, value)
    .split('/')
    .map((segment) => pathSegment(argument, segment));
}
