import {
  flag,
  kind,
  type OptionTable,
  type ReadOptions,
  readOptions,
  rule,
  text,
  texts,
} from '@fledge-internal/options';
import { mediaTypeOf, readBytes } from '@fledge/core/packages';
import { BadRequestException, HttpException, UnsupportedMediaTypeException } from '@nestjs/common';
import type { Plugin, YogaServerOptions } from 'graphql-yoga';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { GraphqlContext } from '../context/graphql-context.js';
import { later, placeOf } from '../graphql.defaults.js';
import { loadPeer } from '../load-peer.js';
import { type BodyRequest, tooLarge } from '../http/read-request.js';
import { type GraphqlRuntime, type GraphqlRuntimeDeps, refuseUncalled } from '../http/runtime.js';
import { splitUrl } from '../split-url.js';
import { type Exchange, OUTCOME, protectedBy } from './protected-by.js';

type ServerOptions = YogaServerOptions<Exchange, GraphqlContext>;

/** Options of GraphQL Yoga, except those that the mount sets. */
export interface YogaOptions extends Pick<
  ServerOptions,
  'batching' | 'extraParamNames' | 'graphiql' | 'id' | 'maxRequestBodySize' | 'multipart'
> {
  /**
   * Plugins of Yoga and Envelop. The type accepts other objects too, because the declarations of
   * graphql-yoga for CommonJS and for ES modules are incompatible.
   * @default none
   */
  readonly plugins?: readonly (Plugin | object)[];
  /**
   * Accepted media types of request bodies. If you list a form type, call
   * `app.enableCsrfProtection()`, because other sites can submit forms with a user's cookies.
   * @default application/json, application/graphql+json
   */
  readonly contentTypes?: readonly string[];
}

// If a later version of Yoga may extend the type of an option, Yoga receives this option unchecked.
const OPTIONS = {
  batching: later<YogaOptions['batching']>(),
  extraParamNames: texts.default([]),
  // By default, Yoga's page loads its script from another server. The mount has its own explorer.
  graphiql: rule((given: YogaOptions['graphiql']) => given ?? false),
  id: text.optional,
  maxRequestBodySize: later<YogaOptions['maxRequestBodySize']>(),
  multipart: flag.optional,
  plugins: kind<readonly Plugin[]>('a list of plugins', Array.isArray).default([]),
  contentTypes: texts.default(['application/json', 'application/graphql+json']),
} satisfies OptionTable<YogaOptions>;

/**
 * Uses GraphQL Yoga as the runtime of a mount, with its plugins and server-sent events. The mount
 * provides the explorer, the limits, the context and the counts.
 * @throws GraphqlOptionError for an invalid option
 */
export function yoga(options: YogaOptions = {}): GraphqlRuntime {
  refuseUncalled(options, 'yoga');
  const read = readOptions(options, OPTIONS, placeOf('yoga'));
  return Object.assign((deps: GraphqlRuntimeDeps) => handlerOf(deps, read), {
    counts: true,
    documents: true,
    forms: true,
    streams: true,
    library: 'graphql-yoga',
  });
}

async function handlerOf(deps: GraphqlRuntimeDeps, options: ReadOptions<typeof OPTIONS>) {
  const { createYoga } = await loadPeer('graphql-yoga', 'yoga()', () => import('graphql-yoga'));
  const { contentTypes, plugins, extraParamNames, ...own } = options;
  const server = createYoga<Exchange, GraphqlContext>({
    ...own,
    extraParamNames: ['documentId', ...extraParamNames],
    // Nest or the mount handles these features.
    cors: false,
    landingPage: false,
    logging: false,
    parserAndValidationCache: false,
    graphqlEndpoint: deps.path,
    schema: () => deps.schema(),
    context: ({ req, res }) => deps.contextOf(req, res),
    ...protectedBy(deps, plugins),
  });
  return async (req: BodyRequest, res: ServerResponse): Promise<void> => {
    const type = mediaTypeOf(req.headers['content-type']);
    if (req.method === 'POST' && !contentTypes.includes(type)) throw refused(type, contentTypes);
    refuseMalformedHost(req.headers.host);
    if (req.method === 'GET') refuseMalformed(urlOf(req));
    if (req.method === 'POST' && own.maxRequestBodySize === undefined) {
      await limitBody(req, deps.maxBodyBytes);
    }
    writePathOf(req, deps.path);
    const outcome = { failed: false };
    await server(req, res, { req, res, [OUTCOME]: outcome });
    if (!outcome.failed && res.statusCode >= 400) deps.counts.failed();
  };
}

/**
 * Limits a body that no parser has read, such as a multipart body. Yoga's own limit would also apply
 * to bodies that a parser of the application has read.
 * @throws PayloadTooLargeException if the body is larger than the limit
 * @throws BadRequestException if the body is incomplete
 */
async function limitBody(req: BodyRequest, limit: number): Promise<void> {
  if ((req.body ?? undefined) !== undefined || req.readableEnded) return;
  const length = req.headers['content-length'];
  if (Number(length) > limit) throw tooLarge(limit);
  if (length !== undefined) return;
  const read = await readBytes(req, limit);
  if (read === 'too-large') throw tooLarge(limit);
  if (read === 'gone') throw new BadRequestException('The body ended before it was complete');
  // Yoga reads a stream in `body` instead of the request.
  req.body = Readable.from([read]);
}

type MountedRequest = IncomingMessage & { originalUrl?: string };

function urlOf({ originalUrl, url = '' }: MountedRequest): string {
  return originalUrl ?? url;
}

/** Throws if Yoga could not create a URL. It would send the stack of its error. */
function refuseMalformedHost(host: string | undefined): void {
  if (host === undefined || URL.canParse(`http://${host}`)) return;
  throw new BadRequestException('The header Host is malformed');
}

/** Throws if the JSON in a URL cannot be parsed. Yoga would report it as a server error. */
function refuseMalformed(url: string): void {
  const search = new URLSearchParams(splitUrl(url)[1]);
  for (const name of ['variables', 'extensions']) {
    const text = search.get(name);
    if (!text) continue;
    try {
      JSON.parse(text);
    } catch {
      throw new BadRequestException(`The parameter "${name}" is not valid JSON`);
    }
  }
}

/**
 * Corrects the path of a request. The platform may ignore case in paths. Yoga compares the path
 * exactly and would respond with 404.
 */
function writePathOf(req: MountedRequest, path: string): void {
  const [given, search] = splitUrl(urlOf(req));
  if (given === path || given.toLowerCase() !== path.toLowerCase()) return;
  req.originalUrl = search === undefined ? path : `${path}?${search}`;
}

function refused(type: string, contentTypes: readonly string[]): HttpException {
  const given = type === '' ? 'without a media type' : `of type ${type}`;
  return new UnsupportedMediaTypeException(
    `Request bodies ${given} are not accepted. Send ${contentTypes.join(' or ')}.`,
  );
}
