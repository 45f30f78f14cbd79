/**
 * Injection token of the options of `QueryModule`. Without the module, there is no provider for it.
 */
export const QUERY_OPTIONS = Symbol.for('fledge:QUERY_OPTIONS');
