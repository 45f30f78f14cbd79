import type { Abstract, InjectionToken, Type } from '@nestjs/common';
import {
  callback,
  flag,
  isObject,
  kind,
  type OptionTable,
  Place,
  type ReadOptions,
  readOptions,
  rule,
} from '@fledge-internal/options';
import { InvalidContextDecoratorError } from '../errors.js';
import type { ContextValue, RequestContext } from '../context/request-context.js';

/** DI tokens by name. `resolve` receives the instance of each token under this name. */
export type ContributorDeps = Readonly<Record<string, InjectionToken>>;

/** Instances of `deps`. Typed if the token is a class. */
export type ResolvedDeps<D extends ContributorDeps> = {
  readonly [Name in keyof D]: D[Name] extends Type<infer T> | Abstract<infer T> ? T : unknown;
};

/** Options of `defineHttpContextDecorator()`. */
export interface HttpContextDecoratorOptions<
  K extends string = string,
  D extends ContributorDeps = ContributorDeps,
> {
  /** The key of the value: `ctx.get(key)`. */
  readonly key: K;
  /** Returns the value. Errors reach the exception filters unchanged. */
  resolve(ctx: RequestContext, deps: ResolvedDeps<D>): Awaitable<ContextValue<K>>;
  /** Providers that `resolve` uses. May be request-scoped. @default none */
  readonly deps?: D | undefined;
  /**
   * Keys whose decorators run before `resolve`. A key whose decorator is `optional` may have no
   * value.
   * @default none
   */
  readonly dependsOn?: readonly string[] | undefined;
  /**
   * If true and `resolve` fails, the request continues and the key stays unset.
   * @default false
   */
  readonly optional?: boolean | undefined;
  /**
   * Returns a fallback value when `resolve` fails, or undefined for none. Its own errors reach the
   * exception filters.
   * @default none
   */
  readonly onError?:
    | ((error: unknown, ctx: RequestContext) => Awaitable<ContextValue<K> | undefined>)
    | undefined;
}

type Awaitable<T> = T | Promise<T>;

const OPTIONS = {
  key: kind<string>("a non-empty string, such as 'user'", isKey).required,
  resolve: callback<HttpContextDecoratorOptions['resolve']>().required,
  deps: rule((given: ContributorDeps | undefined, place) => {
    if (given === undefined) return {};
    if (!isObject(given)) {
      throw place.wrong(given, 'an object of tokens, such as { users: UsersService }');
    }
    for (const [name, token] of Object.entries(given)) {
      if (token !== undefined && token !== null) continue;
      throw place
        .at(name)
        .wrong(
          token,
          'an injection token. A class is undefined here if its file is part of a circular import',
        );
    }
    return given;
  }),
  dependsOn: kind<readonly string[]>(
    "a list of keys, such as ['tenant']",
    (value) => Array.isArray(value) && value.every(isKey),
  ).default([]),
  optional: flag.default(false),
  onError: callback<NonNullable<HttpContextDecoratorOptions['onError']>>().optional,
} satisfies OptionTable<HttpContextDecoratorOptions>;

/**
 * The compiler does not detect mistakes in JavaScript, or in `deps` with a circular import.
 * @throws InvalidContextDecoratorError
 */
export function readDecoratorOptions(given: unknown): ReadOptions<typeof OPTIONS> {
  const key = isObject(given) && isKey(given['key']) ? ` for the key "${given['key']}"` : '';
  const toError = (message: string) => new InvalidContextDecoratorError(message);
  return readOptions(given, OPTIONS, Place.ofCall(toError, 'defineHttpContextDecorator', key));
}

function isKey(given: unknown): given is string {
  return typeof given === 'string' && given !== '';
}
