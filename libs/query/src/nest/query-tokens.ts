/** Token of the options of `QueryModule`. Not provided in an application without the module. */
export const QUERY_OPTIONS = Symbol.for('fledge:QUERY_OPTIONS');
