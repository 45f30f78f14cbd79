import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import type { DynamicModule } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import { GraphqlContextFactory } from '@fledge/graphql/apollo';
import { MercuriusContextFactory } from '@fledge/graphql/mercurius';

/** A code-first `GraphQLModule` with Apollo. */
export function apolloModule(more: Partial<ApolloDriverConfig> = {}): DynamicModule {
  return GraphQLModule.forRoot<ApolloDriverConfig>({
    driver: ApolloDriver,
    autoSchemaFile: true,
    context: GraphqlContextFactory.create,
    ...more,
  });
}

/** A code-first `GraphQLModule` with Mercurius. */
export function mercuriusModule(more: Partial<MercuriusDriverConfig> = {}): DynamicModule {
  return GraphQLModule.forRoot<MercuriusDriverConfig>({
    driver: MercuriusDriver,
    autoSchemaFile: true,
    context: MercuriusContextFactory.create,
    ...more,
  });
}
