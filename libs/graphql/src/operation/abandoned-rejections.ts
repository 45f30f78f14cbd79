import { GraphQLError, versionInfo } from 'graphql';
import { FailureLog } from './failure-log.js';

const failures = new FailureLog('An item of a list failed after another one had ended its list');

let isGuarded = false;

/**
 * Keeps a fault of graphql-js 16 from ending the process. If the items of a list must not be null, an item that fails
 * at once ends the list. Promises of the items before it then have no handler, and Node.js ends the process if one of
 * them rejects. Any client can cause it, where data is wrong in two ways. The list is inside graphql-js, so the
 * rejection is taken where Node.js reports it. All others are reported as before.
 */
export function guardRejections(): void {
  if (isGuarded || versionInfo.major > 16) return;
  isGuarded = true;
  const emit = process.emit.bind(process) as (event: string, ...args: unknown[]) => boolean;
  // A listener instead would change what Node.js does with the rejections of others.
  const guarded = (event: string, ...args: unknown[]): boolean => {
    if (event !== 'unhandledRejection' || !isOfField(args[0])) return emit(event, ...args);
    failures.add(args[0]);
    return true;
  };
  process.emit = guarded as typeof process.emit;
}

/** Only graphql-js gives an error a path: that of the field that failed. */
function isOfField(reason: unknown): boolean {
  return reason instanceof GraphQLError && reason.path !== undefined;
}
