export { guardConnection, type GuardableConnection } from './guard-connection.js';
export type { GuardConnectionOptions } from './guard-connection.js';
