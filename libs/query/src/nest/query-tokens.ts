/** Without `QueryModule`, there is no provider for this token. */
export const QUERY_OPTIONS = Symbol.for('fledge:QUERY_OPTIONS');
