import type { ContextRequest, ContextResponse } from '@fledge/core';
import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { type GraphqlContext, GraphqlContexts } from '../context/graphql-context.js';
import { MercuriusContextError } from '../graphql.errors.js';
import { providerFor } from '../nest-graphql-modules.js';
import { MercuriusOperations } from './mercurius-operations.js';

type Reply = ContextResponse & { readonly raw: ServerResponse };

/**
 * Creates `{ ctx, container }` for the resolvers of `GraphQLModule` with `MercuriusDriver`. With
 * `forRoot`, use the static method, which finds the application through the request. With
 * `forRootAsync`, inject the factory.
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
    private readonly operations: MercuriusOperations,
  ) {}

  /**
   * Use as `context` of `GraphQLModule.forRoot()`.
   * @throws MercuriusContextError if GraphqlMercuriusModule is missing
   */
  static readonly create = (request: object, reply: object): Promise<GraphqlContext> => {
    const factory = providerFor(request, MercuriusContextFactory);
    if (factory === undefined) return Promise.reject(new MercuriusContextError());
    return factory.create(request, reply);
  };

  /** Use as `context` of `GraphQLModule.forRootAsync()`. */
  readonly create = (request: object, reply: object): Promise<GraphqlContext> => {
    const context = this.contexts.ofNestRequest(request as ContextRequest, reply as Reply);
    this.operations.follow(context, (reply as Reply).raw);
    return Promise.resolve(context);
  };
}
