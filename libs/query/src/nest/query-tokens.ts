/** Injection token of the module options. Without `QueryModule`, it has no provider. */
export const QUERY_OPTIONS = Symbol.for('fledge:QUERY_OPTIONS');
