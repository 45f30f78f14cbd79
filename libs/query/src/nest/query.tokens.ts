/** The options `QueryModule` was given. Nothing stands there in an application without it. */
export const QUERY_OPTIONS = Symbol.for('fledge:QUERY_OPTIONS');
