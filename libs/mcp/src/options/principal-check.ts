/**
 * Checks the principal that `auth.validate` returned. Returns the problem and its fix, or undefined
 * if the principal is valid. TypeScript cannot check values of type `any`, such as the claims of a
 * token.
 */
export function principalFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) {
    return `the value is ${describe(value)}. Return true, false or { id, scopes }`;
  }
  const { id, scopes } = value as { readonly id?: unknown; readonly scopes?: unknown };
  // All callers without an id would have the same id, and could use each other's sessions.
  if ((typeof id !== 'string' && typeof id !== 'number') || id === '') {
    return (
      `the \`id\` of the principal is ${describe(id)}. Return the stable id of the caller, such ` +
      'as { id: payload.sub }'
    );
  }
  return scopes === undefined || scopes === null ? undefined : scopesFault(scopes);
}

/**
 * Checks a list of scopes. Returns the problem and its fix, or undefined if the list is valid. A
 * string is rejected, because `includes()` of a string would also find a part of a scope.
 */
export function scopesFault(scopes: unknown): string | undefined {
  if (Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string')) return undefined;
  return (
    `the scopes are ${describe(scopes)}, but must be a list that contains only strings. To split ` +
    "a string, use payload.scope.split(' ')"
  );
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (value === undefined || value === null) return String(value);
  return value === '' ? 'an empty string' : `a ${typeof value}`;
}
