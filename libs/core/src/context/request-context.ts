import { HttpStatus } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { MissingContextValueError } from '../errors.js';
import type { ContextRequest, ContextResponse } from './platform.js';
import { type ProviderLookup, sharedMethods } from './shared-methods.js';

/**
 * Types of the values by context key. Augment this interface to type `ctx.get()`.
 *
 * @example
 * ```ts
 * declare module '@fledge/core' {
 *   interface ContextMeta { user: User | null }
 * }
 * ```
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by applications
export interface ContextMeta {}

/** The type of the value of a context key: as declared in `ContextMeta`, or else unknown. */
export type ContextValue<K extends string> = K extends keyof ContextMeta ? ContextMeta[K] : unknown;

/** The data of one request context. */
export interface ContextState {
  readonly req: ContextRequest;
  readonly res: ContextResponse;
  readonly values: Map<string, unknown>;
  /** The values that `memo()` keeps. */
  readonly kept: Map<symbol, unknown>;
  /** Finds providers of the application that serves the request. */
  readonly provided: ProviderLookup;
}

/**
 * Key of the tenant scope on a request context. The symbol is registered, so copies of a package
 * share it.
 */
export const TENANT_SCOPE: unique symbol = Symbol.for('fledge:tenant-scope') as never;

// The methods are on the prototype, see below.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging, typescript/no-empty-object-type
export interface RequestContext extends Fledge.RequestContextMethods {}

/**
 * The current request: its parts, the values of its context decorators, and its response.
 *
 * Get it with `@Ctx()` in a handler, or inject it. The injected instance serves all requests, so
 * providers stay singletons.
 */
export abstract class RequestContext {
  /** @throws NoRequestContextError on the injected instance, outside a request */
  protected abstract readonly state: ContextState;

  /** The platform's request (Express or Fastify). In middleware on Fastify, Node's request. */
  get req(): ContextRequest {
    return this.state.req;
  }

  /**
   * The platform's response (Express' response or Fastify's reply). In middleware on Fastify,
   * Node's response.
   */
  get res(): ContextResponse {
    return this.state.res;
  }

  /** The parsed body. Undefined until the body is read. */
  get body(): unknown {
    return this.state.req.body;
  }

  /** Path parameters, as strings. Empty before a route matches. */
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

  /**
   * Path and query string, as the client sent them. Mounts change `req.url`, but not this value.
   */
  get url(): string {
    return this.state.req.originalUrl ?? this.state.req.url;
  }

  /**
   * Returns the value of a key. If no value is set for `user`, returns `req.user`, which passport
   * or other middleware sets. Other keys are not read from the request.
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
   * Returns the value of a key that must be set.
   * @throws MissingContextValueError if it is null or undefined
   */
  require<K extends keyof ContextMeta>(key: K): NonNullable<ContextMeta[K]>;
  require<T = unknown>(key: string): NonNullable<T>;
  require(key: string): unknown {
    const value = this.get(key);
    if (value !== undefined && value !== null) return value;
    const withheld = this.state.kept.get(WITHHELD) as WithheldValues | undefined;
    throw withheld?.get(key)?.() ?? new MissingContextValueError(key, this.method);
  }

  /** Sets a value for the rest of the request. */
  set<K extends keyof ContextMeta>(key: K, value: ContextMeta[K]): void;
  set(key: string, value: unknown): void;
  set(key: string, value: unknown): void {
    this.state.values.set(key, value);
  }

  /**
   * Returns a value that a package keeps for the request. The first call creates the value, and
   * later calls return it.
   * @param key a key that only this package uses. Use it only for this value
   * @param make receives `provided(token)`, which returns a provider of the application or
   * undefined
   */
  memo<T>(key: symbol, make: (provided: ProviderLookup) => T): T {
    const { kept, provided } = this.state;
    if (!kept.has(key)) kept.set(key, make(provided));
    // The value has type T, because the same caller created it under its own key.
    return kept.get(key) as T;
  }

  /**
   * Sets the status and returns the body. The handler must return this body. Nothing is sent yet,
   * so interceptors and serializers still run.
   * @param status by default, the route's own status: `@HttpCode()`, or else 201 for POST and 200
   * for other methods
   */
  json<T>(body: T, status?: number): T {
    if (status !== undefined) this.state.res.statusCode = status;
    return body;
  }

  /** Same as `json(body, 201)`. */
  created<T>(body: T): T {
    return this.json(body, HttpStatus.CREATED);
  }

  /** Sets the status 204 and returns undefined. The handler must return undefined. */
  noContent(): void {
    this.state.res.statusCode = HttpStatus.NO_CONTENT;
  }
}

Object.setPrototypeOf(RequestContext.prototype, sharedMethods);

/**
 * Makes `ctx.require(key)` throw this error instead of `MissingContextValueError` while the key has
 * no value. Use this if clients must not see why a value is missing.
 */
export function withhold(ctx: RequestContext, key: string, error: () => Error): void {
  ctx.memo(WITHHELD, (): WithheldValues => new Map()).set(key, error);
}

const WITHHELD = Symbol('fledge:withheld-values');
/** The functions that create errors, by the context key of the withheld value. */
type WithheldValues = Map<string, () => Error>;
