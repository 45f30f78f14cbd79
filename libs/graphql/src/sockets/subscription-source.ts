import { readOptions } from '@fledge-internal/options';
import type { ApplicationConfig } from '@nestjs/core';
import type { RequestGate } from '@fledge/core/packages';
import { assertValidSchema, execute } from 'graphql';
import { GraphqlSchemaError } from '../graphql.errors.js';
import type { GraphqlSubscriptionsOptions } from '../live/subscription.options.js';
import { boundTo, placeOf, type ResolvedLimits, SUBSCRIPTIONS } from '../option-tables.js';
import { protectionOf, type RequestDocuments } from '../documents/request-documents.js';
import { OperationCounts } from '../operation/operation-counts.js';
import { OperationSpans } from '../operation/operation-spans.js';
import { socketPathOf, urlOf } from './socket-path.js';
import type { SocketServerOptions } from './socket-server.js';

/** Returns what a module serves. Called when the application is initialized. */
export type SubscriptionSource = () => Source | Promise<Source>;

interface Source extends Omit<SocketServerOptions, 'admission'> {
  readonly documents: RequestDocuments;
  readonly limits: ResolvedLimits;
}

export const SUBSCRIPTION_SOURCE = Symbol('fledge:SubscriptionSource');

/** Returns a source that serves the schema in the options. */
export function ownSource(
  given: GraphqlSubscriptionsOptions,
  config: ApplicationConfig,
  gate: RequestGate,
): SubscriptionSource {
  const place = placeOf('GraphqlSubscriptionsModule.forRoot');
  const read = boundTo(given, readOptions(given, SUBSCRIPTIONS, place));
  const { schema, path, rootValue } = read;
  const plain = socketPathOf(path);
  try {
    assertValidSchema(schema);
  } catch (error) {
    throw new GraphqlSchemaError('GraphqlSubscriptionsModule', 'schema', error);
  }
  const found = protectionOf(read);
  return () => ({
    path: plain,
    url: urlOf(plain, config),
    schema: () => schema,
    rootValue,
    ...found,
    counts: new OperationCounts(),
    execute,
    tracer: new OperationSpans(read.traceDocument),
    limits: read,
    before: gate.before(NoController, () => undefined),
  });
}

/** Stands for the controller, so context decorators for all handlers apply. */
class NoController {}
