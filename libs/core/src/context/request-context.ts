import {
  type FetchedPage,
  type OptInOperator,
  paginate,
  type PageResult,
  type ParsedQuery,
  type PartialTotal,
  type QueryFieldConfig,
  type QueryOptions,
  type ResponseFor,
  type Total,
} from '@fledge/query';
import type { RouteQueryOptions } from '@fledge/query/nest';
import { HttpStatus } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { MissingContextValueError } from '../core.errors.js';
import type { ContextRequest, ContextResponse } from './platform.js';
import type { Fetcher, RequestQueries } from './request-queries.js';

/**
 * Types of the values under context keys. Augment it to have `ctx.get()` typed.
 *
 * @example
 * ```ts
 * declare module '@fledge/core' {
 *   interface ContextMeta { user: User | null }
 * }
 * ```
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled by applications
export interface ContextMeta {}

/** The type of the value under a context key: what `ContextMeta` says, else unknown. */
export type ContextValue<K extends string> = K extends keyof ContextMeta ? ContextMeta[K] : unknown;

/** What a context stands on. */
export interface ContextState {
  readonly req: ContextRequest;
  readonly res: ContextResponse;
  readonly values: Map<string, unknown>;
  readonly queries: RequestQueries;
}

/**
 * The request being served: its parts, the values its context decorators found, and its answer.
 *
 * Take it with `@Ctx()` in a handler, or inject it: one instance serves every request, so
 * providers stay singletons.
 */
export abstract class RequestContext {
  /** @throws NoRequestContextError for the injected one, outside a request */
  protected abstract readonly state: ContextState;

  /** The platform's request: Express' or Fastify's; Node's own in middleware on Fastify. */
  get req(): ContextRequest {
    return this.state.req;
  }

  /** The platform's response: Express' response or Fastify's reply; Node's own in middleware on Fastify. */
  get res(): ContextResponse {
    return this.state.res;
  }

  /** The parsed body; undefined before it was read. */
  get body(): unknown {
    return this.state.req.body;
  }

  /** Path parameters, as text; empty before the route was matched. */
  get params(): Readonly<Record<string, string>> {
    return this.state.req.params ?? {};
  }

  get query(): Readonly<Record<string, unknown>> {
    return this.state.req.query ?? {};
  }

  get headers(): IncomingHttpHeaders {
    return this.state.req.headers;
  }

  get method(): string {
    return this.state.req.method;
  }

  /** Path and query string as sent, whatever mounts have cut from `req.url` since. */
  get url(): string {
    return this.state.req.originalUrl ?? this.state.req.url;
  }

  /**
   * The value under a key. Under `user`, while nothing was set there, it is what middleware or a
   * passport guard left at `req.user`; no other key looks at the request.
   */
  get<K extends keyof ContextMeta>(key: K): ContextMeta[K] | undefined;
  get<T = unknown>(key: string): T | undefined;
  get(key: string): unknown {
    const { values, req } = this.state;
    const value = values.get(key);
    if (value !== undefined || key !== 'user' || values.has(key)) return value;
    return req.user ?? req.raw?.user;
  }

  /**
   * The value under a key that has to be there.
   * @throws MissingContextValueError when it is null or undefined
   */
  require<K extends keyof ContextMeta>(key: K): NonNullable<ContextMeta[K]>;
  require<T = unknown>(key: string): NonNullable<T>;
  require(key: string): unknown {
    const value = this.get(key);
    if (value === undefined || value === null) throw new MissingContextValueError(key, this.method);
    return value;
  }

  /** Stores a value for the rest of the request. */
  set<K extends keyof ContextMeta>(key: K, value: ContextMeta[K]): void;
  set(key: string, value: unknown): void;
  set(key: string, value: unknown): void {
    this.state.values.set(key, value);
  }

  /**
   * The query as filters, sort, page and search. Reads it once for one config and options.
   *
   * @param config which fields may be used; without it every well-formed field passes
   * @param options over those of `QueryModule`
   * @throws BadRequestException for a query that cannot be answered as asked
   * @throws InvalidQueryConfigError
   * @example
   * ```ts
   * const parsed = ctx.qs({ filterable: ['status'], sortable: ['createdAt'] });
   * ```
   */
  qs<
    const Config extends QueryFieldConfig = QueryFieldConfig,
    const OptIn extends OptInOperator = never,
  >(config?: Config, options?: QueryOptions<OptIn>): ParsedQuery<Config, OptIn> {
    return this.state.queries.read(this.query, config, options);
  }

  /**
   * The body of a paginated answer: of rows and their total, or of what a fetcher fetches for `qs(config)`.
   *
   * @throws BadRequestException for a query that cannot be answered as asked, also by the fetcher
   * @throws InvalidTotalError
   * @example
   * ```ts
   * return ctx.paginate(({ pagination }) => tasks.find(pagination), { filterable: ['status'] });
   * ```
   */
  paginate<T, const Given extends Total | PartialTotal>(
    result: PageResult<T, Given>,
  ): ResponseFor<T, Given>;
  paginate<
    T,
    const Given extends Total | PartialTotal,
    const Config extends QueryFieldConfig = QueryFieldConfig,
  >(
    fetcher: (
      parsed: ParsedQuery<Config>,
    ) => FetchedPage<T, Given> | PromiseLike<FetchedPage<T, Given>>,
    config?: Config,
    options?: RouteQueryOptions,
  ): Promise<ResponseFor<T, Given>>;
  paginate(
    given: PageResult<unknown> | Fetcher,
    config?: QueryFieldConfig,
    options?: RouteQueryOptions,
  ): unknown {
    return typeof given === 'function'
      ? this.state.queries.fetch(given, this.query, config, options)
      : paginate(given);
  }

  /**
   * The body to return from the handler. Interceptors and serializers still see it: nothing is sent here.
   * @param status default: the route's own (`@HttpCode()`, or Nest's 200, and 201 for POST)
   */
  json<T>(body: T, status?: number): T {
    if (status !== undefined) this.state.res.statusCode = status;
    return body;
  }

  /** `json(body, 201)`. */
  created<T>(body: T): T {
    return this.json(body, HttpStatus.CREATED);
  }

  /** Answers 204. Return its result, or nothing, from the handler. */
  noContent(): void {
    this.state.res.statusCode = HttpStatus.NO_CONTENT;
  }
}
