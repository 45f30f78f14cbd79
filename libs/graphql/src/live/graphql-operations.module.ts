import { ContextModule } from '@fledge/core';
import { Injectable, Module } from '@nestjs/common';
import { guardRejections } from '../operation/abandoned-rejections.js';
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
