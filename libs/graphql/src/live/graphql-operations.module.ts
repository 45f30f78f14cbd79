import { ContextModule } from '@fledge/core';
import { Injectable, Module } from '@nestjs/common';
import { GraphQLError, versionInfo } from 'graphql';
import { FailureLog } from '../operation/failure-log.js';
import { GraphqlOperations } from './graphql-operations.js';

/** Assigns the names of subscription snapshots, each unique in the application. */
@Injectable()
export class SubscriptionNames {
  private readonly taken = new Set<string>();

  /** Reserves a name. Appends a number if another endpoint has it. */
  take(name = 'GraphqlSubscriptionsAdapter'): string {
    let free = name;
    for (let number = 2; this.taken.has(free); number += 1) free = `${name}${number}`;
    this.taken.add(free);
    return free;
  }
}

/** The list of running operations and the names of snapshots, shared by all GraphQL endpoints. */
@Module({
  imports: [ContextModule],
  providers: [GraphqlOperations, SubscriptionNames],
  exports: [GraphqlOperations, SubscriptionNames],
})
export class GraphqlOperationsModule {
  constructor() {
    guardRejections();
  }
}

const failures = new FailureLog(
  'An item of a list failed after the error of another item had already ended the list',
);

let isGuarded = false;

/**
 * Keeps a fault of graphql-js 16 from ending the process. In a list whose items must not be null, an item that fails
 * at once ends the list. The promises of the items before it then have no handler, and Node.js ends the process if one
 * of them rejects. Clients can cause it wherever two items of a list fail. The list is inside graphql-js, so the
 * rejection is handled where Node.js reports it. All other rejections are reported as before.
 */
function guardRejections(): void {
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

/** Only graphql-js sets the path of an error, to the field that failed. */
function isOfField(reason: unknown): boolean {
  return reason instanceof GraphQLError && reason.path !== undefined;
}
