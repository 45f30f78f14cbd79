import 'reflect-metadata';
import type { RequestContext } from '../context/request-context.js';
import { neededContextModule } from './context-module-needed.js';
import {
  type ContributorDeps,
  type HttpContextDecoratorOptions,
  readDecoratorOptions,
  type ResolvedDeps,
} from './context-decorator-options.js';

/** The options of a context decorator, with defaults applied. */
export interface Contributor {
  readonly key: string;
  readonly deps: ContributorDeps;
  readonly dependsOn: readonly string[];
  readonly optional: boolean;
  resolve(ctx: RequestContext, deps: Readonly<Record<string, unknown>>): unknown;
  readonly onError: ((error: unknown, ctx: RequestContext) => unknown) | undefined;
}

/** A decorator for handlers and classes. The option `contributors` also accepts it. */
export interface HttpContextDecorator {
  (target: Function): void;
  (target: object, method: string | symbol, descriptor: PropertyDescriptor): void;
  readonly contributor: Contributor;
}

/**
 * Creates a decorator that stores a value under a context key, before any guard of the route runs.
 *
 * @throws InvalidContextDecoratorError
 * @example
 * ```ts
 * export const LoadUser = defineHttpContextDecorator({
 *   key: 'user',
 *   deps: { users: UsersService },
 *   resolve: (ctx, { users }) => users.byToken(ctx.headers.authorization),
 * });
 * ```
 */
export function defineHttpContextDecorator<
  const K extends string,
  const D extends ContributorDeps = Record<never, never>,
>(options: HttpContextDecoratorOptions<K, D>): HttpContextDecorator {
  const contributor = Object.freeze<Contributor>({
    ...readDecoratorOptions(options),
    // `resolve` is called as a method, because it may use the object `this`. The type of a list of
    // contributors does not contain the type of each contributor's `deps`.
    resolve: (ctx, deps) => options.resolve(ctx, deps as ResolvedDeps<D>),
  });
  const decorate = (target: object, _method?: string | symbol, descriptor?: PropertyDescriptor) => {
    neededContextModule.need();
    const place = (descriptor?.value ?? target) as object;
    // Decorators run from bottom to top, but this list must be in source order.
    Reflect.defineMetadata(CONTRIBUTORS, [contributor, ...ownContributors(place)], place);
  };
  return Object.assign(decorate, { contributor });
}

/** In source order. */
export function contributorsOfMethod(handler: Function): readonly Contributor[] {
  return ownContributors(handler);
}

/** If a class and its base class set the same key, the contributor of the class is used. */
export function contributorsOfClass(target: Function): readonly Contributor[] {
  const base = Object.getPrototypeOf(target) as Function | null;
  if (base === null || base === Function.prototype) return ownContributors(target);
  const own = ownContributors(target);
  const inherited = contributorsOfClass(base).filter(
    ({ key }) => !own.some((contributor) => contributor.key === key),
  );
  return [...inherited, ...own];
}

const CONTRIBUTORS = Symbol('fledge:contributors');

function ownContributors(place: object): readonly Contributor[] {
  return (Reflect.getOwnMetadata(CONTRIBUTORS, place) ?? []) as readonly Contributor[];
}
