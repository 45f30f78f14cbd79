import { ContextModule } from '@fledge/core';
import { Module } from '@nestjs/common';
import { GraphqlOperations } from './graphql-operations.js';
import { SubscriptionNames } from './subscription-names.js';

/** What all GraphQL endpoints of an application share: the list of what runs, and their names. */
@Module({
  imports: [ContextModule],
  providers: [GraphqlOperations, SubscriptionNames],
  exports: [GraphqlOperations, SubscriptionNames],
})
export class GraphqlOperationsModule {}
