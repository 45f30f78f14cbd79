import { ContextModule } from '@fledge/core';
import { Module } from '@nestjs/common';
import { guardRejections } from '../operation/abandoned-rejections.js';
import { GraphqlOperations } from './graphql-operations.js';
import { SubscriptionNames } from './subscription-names.js';

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
