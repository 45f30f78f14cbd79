import { Container, ContextModule } from '@fledge/core';
import { Injectable, Module } from '@nestjs/common';
import { GraphqlContexts } from '../context/graphql-contexts.js';
import { GraphqlOptionError } from '../graphql.errors.js';
import { GraphqlOperationsModule } from '../subscriptions/graphql-operations.module.js';
import type { GraphqlAdapter } from './graphql-adapter.js';

/** The GraphQL endpoints of one application, told apart by name and by path. */
@Injectable()
export class GraphqlEndpoints {
  private readonly adapters: GraphqlAdapter[] = [];

  /** @throws GraphqlOptionError for a name or a path that another endpoint has */
  add(adapter: GraphqlAdapter): void {
    const { name, path } = adapter;
    for (const other of this.adapters) {
      if (other.name === name) {
        throw new GraphqlOptionError(
          `Two GraphQL endpoints are named "${name}": at ${other.path} and at ${path}. ` +
            `Give one of them another name: forRoot({ name: '...' }).`,
        );
      }
      if (other.path === path) {
        throw new GraphqlOptionError(
          `${other.name} and ${name} are both mounted at ${path}. ` +
            `Give one of them another path: forRoot({ path: '...' }).`,
        );
      }
    }
    this.adapters.push(adapter);
  }
}

/** What the GraphQL endpoints of one application share. */
@Module({
  imports: [ContextModule, GraphqlOperationsModule],
  providers: [Container, GraphqlContexts, GraphqlEndpoints],
  exports: [Container, GraphqlContexts, GraphqlEndpoints, GraphqlOperationsModule],
})
export class GraphqlHostModule {}
