/**
 * The scopes of a token, in each spelling that providers use: `scope` (RFC 8693 §4.2) and `scp`, as text with
 * spaces or as list.
 */
export function tokenScopesOf(claims: Readonly<Record<string, unknown>>): readonly string[] {
  return [...new Set([...wordsOf(claims['scope']), ...wordsOf(claims['scp'])])];
}

function wordsOf(value: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.flatMap((text) =>
    typeof text === 'string' ? text.split(/\s+/).filter((word) => word !== '') : [],
  );
}
