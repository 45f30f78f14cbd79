import type { ContextRequest, ContextResponse } from '@fledge/core';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ServerResponse } from 'node:http';
import type { GraphqlContext } from '../context/graphql-context.js';
import { GraphqlContexts } from '../context/graphql-contexts.js';
import { MercuriusContextError } from '../graphql.errors.js';
import { MercuriusCounts } from './mercurius-counts.js';

/** The reply of Fastify, with Node's response. */
type Reply = ContextResponse & { readonly raw: ServerResponse };

/** Factories by Fastify instance, which a request refers to. */
const factories = new WeakMap<object, MercuriusContextFactory>();

/**
 * Creates `{ ctx, container }` for the resolvers of `GraphQLModule` with `MercuriusDriver`. With `forRoot`, use
 * the static method: it finds the application through the request. With `forRootAsync`, inject the factory.
 *
 * @example
 * ```ts
 * imports: [
 *   GraphqlMercuriusModule.forRoot(),
 *   GraphQLModule.forRoot<MercuriusDriverConfig>({
 *     driver: MercuriusDriver,
 *     autoSchemaFile: true,
 *     context: MercuriusContextFactory.create,
 *   }),
 * ]
 * ```
 */
@Injectable()
export class MercuriusContextFactory {
  constructor(
    private readonly contexts: GraphqlContexts,
    private readonly counts: MercuriusCounts,
    host: HttpAdapterHost,
  ) {
    factories.set(host.httpAdapter.getInstance<object>(), this);
  }

  /**
   * For `context` of `GraphQLModule.forRoot()`.
   * @throws MercuriusContextError without GraphqlMercuriusModule
   */
  static readonly create = (request: object, reply: object): Promise<GraphqlContext> => {
    const factory = factoryFor(request);
    if (factory === undefined) return Promise.reject(new MercuriusContextError());
    return factory.create(request, reply);
  };

  /** For `context` of `GraphQLModule.forRootAsync()`. */
  readonly create = (request: object, reply: object): Promise<GraphqlContext> => {
    const context = this.contexts.ofNestRequest(request as ContextRequest, reply as Reply);
    this.counts.follow(context, (reply as Reply).raw);
    return Promise.resolve(context);
  };
}

/** A plugin of Fastify, such as Mercurius, has an instance that inherits from the application's. */
function factoryFor(request: object): MercuriusContextFactory | undefined {
  let app = (request as { readonly server?: object | null }).server;
  for (; app; app = Object.getPrototypeOf(app) as object | null) {
    const factory = factories.get(app);
    if (factory !== undefined) return factory;
  }
  return undefined;
}
