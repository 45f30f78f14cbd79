import { ContextModule } from '@fledge/core';
import { Injectable, Module } from '@nestjs/common';
import { GraphQLError, versionInfo } from 'graphql';
import { FailureLog } from '../operation/failure-log.js';
import { GraphqlOperations } from './graphql-operations.js';

/** Assigns the names of subscription snapshots. Each name is unique in the application. */
@Injectable()
export class SubscriptionNames {
  private readonly taken = new Set<string>();

  /** Reserves a name. Appends a number if another endpoint already uses the name. */
  take(name = 'GraphqlSubscriptionsAdapter'): string {
    let free = name;
    for (let number = 2; this.taken.has(free); number += 1) free = `${name}${number}`;
    this.taken.add(free);
    return free;
  }
}

/** The list of running operations and the names of snapshots. All GraphQL endpoints share them. */
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
  'A list item failed, but the error of another item had already ended the list',
);

let isGuarded = false;

/**
 * Keeps a bug of graphql-js 16 from ending the process. In a list of non-null items, an item that
 * fails synchronously ends the list. The promises of earlier items then have no handler, and
 * Node.js ends the process if one of them rejects. Clients can cause this if two items of a list
 * fail. The promises are internal to graphql-js, so the rejection is handled where Node.js reports
 * it. All other rejections are reported as before.
 */
function guardRejections(): void {
  if (isGuarded || versionInfo.major > 16) return;
  isGuarded = true;
  const emit = process.emit.bind(process) as (event: string, ...args: unknown[]) => boolean;
  // A listener for 'unhandledRejection' is not used. It would change how Node.js handles all other
  // rejections.
  const guarded = (event: string, ...args: unknown[]): boolean => {
    const [reason] = args;
    // Only graphql-js sets the path of an error: the path of the failed field.
    const isOfField = reason instanceof GraphQLError && reason.path !== undefined;
    if (event !== 'unhandledRejection' || !isOfField) return emit(event, ...args);
    failures.add(reason);
    return true;
  };
  process.emit = guarded as typeof process.emit;
}
