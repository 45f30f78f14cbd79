import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { GraphQLSchema } from 'graphql';
import type { SubscriptionLimits } from '../graphql.options.js';
import type { ProtectionOptions } from '../operation/protection.js';

/** A schema whose subscriptions are served. */
export interface GraphqlSubscriptionsAdapterOptions {
  readonly schema: GraphQLSchema;
  /** Where clients connect, below a global prefix. @default '/graphql' */
  readonly path?: string;
}

/** Options of `GraphqlSubscriptionsModule.forRoot()`. */
export interface GraphqlSubscriptionsOptions
  extends GraphqlSubscriptionsAdapterOptions, SubscriptionLimits, ProtectionOptions {
  /** Root fields: values, or functions of `(args, { ctx, container }, info)`. @default none */
  readonly rootValue?: Record<string, unknown>;
}

/**
 * Options of `GraphqlSubscriptionsModule.forApollo()`. `introspection`, `validationRules` and
 * `formatError` are those of `GraphQLModule` unless given here.
 */
export interface ApolloSubscriptionsOptions extends SubscriptionLimits, ProtectionOptions {
  /** @default the path of `GraphQLModule`; it tells several of them apart */
  readonly path?: string;
}

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<GraphqlSubscriptionsOptions>()
    .setClassMethodName('forRoot')
    .build();
