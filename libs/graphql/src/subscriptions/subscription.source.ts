import type { ApplicationConfig } from '@nestjs/core';
import type { RequestGate } from '@fledge/core';
import { assertValidSchema } from 'graphql';
import { GraphqlSchemaError } from '../graphql.errors.js';
import { OperationCounts } from '../operation/operation-counts.js';
import { Protection } from '../operation/protection.js';
import { socketPathOf, urlOf } from './socket-path.js';
import type { SubscriptionServerOptions } from './subscription.server.js';
import type { GraphqlSubscriptionsOptions } from './subscriptions.options.js';

/** What a module serves, asked for when the application is initialised. */
export type SubscriptionSource = () => Source | Promise<Source>;

type Source = Omit<SubscriptionServerOptions, 'adapter' | 'contexts'>;

export const SUBSCRIPTION_SOURCE = Symbol('fledge:SubscriptionSource');

/** Serves the schema of the options. */
export function ownSource(
  { schema, path = '/graphql', rootValue, ...options }: GraphqlSubscriptionsOptions,
  config: ApplicationConfig,
  gate: RequestGate,
): SubscriptionSource {
  const plain = socketPathOf(path);
  try {
    assertValidSchema(schema);
  } catch (error) {
    throw new GraphqlSchemaError('GraphqlSubscriptionsModule', 'schema', error);
  }
  return () => ({
    path: plain,
    url: urlOf(plain, config),
    schema: () => schema,
    rootValue,
    protection: new Protection(options),
    counts: new OperationCounts(),
    limits: options,
    before: gate.before(NoController, () => undefined),
  });
}

/** In place of the controller: what holds for every handler of the application holds here. */
class NoController {}
