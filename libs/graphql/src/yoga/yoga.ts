import { HttpException, UnsupportedMediaTypeException } from '@nestjs/common';
import type { Plugin, YogaServerOptions } from 'graphql-yoga';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphqlContext } from '../context/graphql-context.js';
import { loadPeer } from '../runtime/load-peer.js';
import type { GraphqlRuntime, GraphqlRuntimeDeps } from '../runtime/runtime.js';
import { type Exchange, OUTCOME, protectedBy } from './protected-by.js';

type ServerOptions = YogaServerOptions<Exchange, GraphqlContext>;

/** Options of GraphQL Yoga, without those that the mount sets. */
export interface YogaOptions extends Pick<
  ServerOptions,
  'batching' | 'extraParamNames' | 'graphiql' | 'id' | 'maxRequestBodySize' | 'multipart'
> {
  /** Plugins of Yoga and Envelop. @default none */
  readonly plugins?: readonly Plugin[];
  /**
   * Media types of bodies to take. A form is what a foreign page can send in the name of a user:
   * with one listed, call `app.enableCsrfProtection()`. @default application/json, application/graphql+json
   */
  readonly contentTypes?: readonly string[];
}

const CONTENT_TYPES = ['application/json', 'application/graphql+json'];

/**
 * GraphQL Yoga as the runtime of a mount: its plugins, GraphiQL outside of production, streams of
 * server-sent events. The mount's protection, context and numbers are its own.
 */
export function yoga(options: YogaOptions = {}): GraphqlRuntime {
  return Object.assign((deps: GraphqlRuntimeDeps) => handlerOf(deps, options), {
    counts: true,
    streams: true,
  });
}

async function handlerOf(deps: GraphqlRuntimeDeps, options: YogaOptions) {
  const { createYoga } = await loadPeer('graphql-yoga', 'yoga()', () => import('graphql-yoga'));
  const { contentTypes = CONTENT_TYPES, plugins = [], ...own } = options;
  const server = createYoga<Exchange, GraphqlContext>({
    graphiql: process.env['NODE_ENV'] !== 'production',
    ...own,
    // Nest answers for these, or the mount does.
    cors: false,
    landingPage: false,
    logging: false,
    parserAndValidationCache: false,
    graphqlEndpoint: deps.path,
    schema: () => deps.schema(),
    context: ({ req, res }) => deps.contextOf(req, res),
    ...protectedBy(deps, plugins),
  });
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const type = mediaTypeOf(req);
    if (req.method === 'POST' && !contentTypes.includes(type)) throw refused(type, contentTypes);
    const outcome = { failed: false };
    await server(req, res, { req, res, [OUTCOME]: outcome });
    if (!outcome.failed && res.statusCode >= 400) deps.counts.failed();
  };
}

function mediaTypeOf({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

function refused(type: string, contentTypes: readonly string[]): HttpException {
  return new UnsupportedMediaTypeException(
    `A body of ${type === '' ? 'no media type' : type} is not taken. Send ${contentTypes.join(' or ')}.`,
  );
}
