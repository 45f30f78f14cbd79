/**
 * Base class of the errors of core and of the packages that always load it. `code` is stable.
 * Messages may change.
 */
export abstract class FledgeError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}

/** Base class of this package's errors. `code` is stable; messages may change. */
export abstract class CoreError extends FledgeError {}

/**
 * A module, function or class of this package was called with an unknown or invalid option.
 * `ContextModule`, `defineAdapter()` and `definePlugin()` throw it at startup;
 * `IntrospectionRegistry` and loaders throw it when they are called.
 * @remarks Correct the option that the message names.
 */
export class CoreOptionError extends CoreError {
  readonly code = 'CORE_BAD_OPTION';
}

/**
 * The request context was used outside a request.
 * @remarks Read the context while a request runs, not in a constructor, a job or a timer. Import
 * `ContextModule` or another Fledge module.
 */
export class NoRequestContextError extends CoreError {
  readonly code = 'CORE_NO_REQUEST_CONTEXT';

  constructor() {
    super(
      'There is no request context here, because no request is being served. Read the context while a ' +
        'request runs (not in a constructor, a job or a timer), and import ContextModule or another ' +
        'Fledge module in the application.',
    );
  }
}

/**
 * A guard ran in the context of another request, so the handler would have used the data of that
 * other request. The message is logged; clients get Nest's plain 500.
 * @remarks A resolver, or an HTTP adapter other than Express and Fastify, continued in a callback
 * of a connection that requests share. Use the promises of the driver, or `AsyncResource.bind()`
 * around the callback.
 */
export class ForeignContextError extends CoreError {
  readonly code = 'CORE_FOREIGN_CONTEXT';

  constructor() {
    super(
      'This handler was about to run in the context of another request. The code before the ' +
        'handler continued in a callback of a connection that several requests use. In that ' +
        'code, await a promise, or wrap the callback in AsyncResource.bind() of node:async_hooks.',
    );
  }
}

/**
 * `ctx.require(key)` found no value. The message is logged; clients get Nest's plain 500.
 * @remarks Add the decorator of this key to the handler, its class or its module. If the value is
 * optional, read it with `ctx.get(key)`.
 */
export class MissingContextValueError extends CoreError {
  readonly code = 'CORE_MISSING_CONTEXT_VALUE';

  constructor(key: string, method: string) {
    super(
      `The context of this ${method} request has no value for the key "${key}". Put the ` +
        `decorator made by defineHttpContextDecorator({ key: '${key}', ... }) on the handler, ` +
        `its class or its module, or call ctx.set('${key}', value) in a middleware.`,
    );
  }
}

/**
 * A method of the request context was called, but the package that adds it is not loaded.
 * @remarks Install the package that the message names and import it, such as `@fledge/query/nest`.
 */
export class MissingPackageError extends CoreError {
  readonly code = 'CORE_MISSING_PACKAGE';

  /** @param entry the import that adds the method */
  constructor(call: string, name: string, entry: string) {
    super(
      `${call} is not available. '${entry}' adds this method to the request context, but is not loaded. ` +
        `Run "npm install ${name}" and import from '${entry}'.`,
    );
  }
}

/**
 * The version of Node.js or of a peer dependency is not supported. Thrown on import.
 * @remarks Upgrade Node.js, or install the version of the peer dependency that the message names.
 */
export class UnsupportedVersionError extends CoreError {
  readonly code = 'CORE_UNSUPPORTED_VERSION';

  /** @param range as in package.json: `^12.0.0` */
  constructor(name: string, range: string, found: string) {
    super(
      `@fledge/core needs ${name} ${range}, but ${found} is ` +
        (name === 'Node.js'
          ? 'running. Upgrade Node.js.'
          : `installed. Run "npm ls ${name}" to see what requires it, then: npm install "${name}@${range}"`),
    );
  }
}

/**
 * Several copies of this package are loaded. Thrown at startup.
 * @remarks Run `npm ls @fledge/core`. Install one version of the Fledge packages. Then run `npm
 * dedupe`.
 */
export class DuplicateCopyError extends CoreError {
  readonly code = 'CORE_DUPLICATE_COPY';

  /** @param copies file URL and version of each copy */
  constructor(copies: readonly (readonly [url: string, version: string])[]) {
    const places = copies.map(([url, version]) => `${version} at ${folderOf(url)}`);
    super(
      `${copies.length} copies of @fledge/core are loaded: ${places.join(', ')}. Decorators and context ` +
        'of one copy do not work with the modules of another copy. Run "npm ls @fledge/core", install one version ' +
        'of all @fledge packages, then run "npm dedupe".',
    );
  }
}

/**
 * `defineHttpContextDecorator()` was called with invalid options.
 * @remarks Correct the option of `defineHttpContextDecorator()` that the message names.
 */
export class InvalidContextDecoratorError extends CoreError {
  readonly code = 'CORE_INVALID_CONTEXT_DECORATOR';
}

/**
 * Two decorators set the same key at the same level. Thrown at startup.
 * @remarks Keep one of the two decorators, or move one to another level: method, class, module,
 * adapter, application.
 */
export class DuplicateContributorError extends CoreError {
  readonly code = 'CORE_DUPLICATE_CONTRIBUTOR';

  constructor(key: string, level: string, route: string) {
    super(
      `Two decorators set the context key "${key}" of ${route} at ${level} level. Keep one of ` +
        'them, or move one to another level: method, class, module, adapter or global.',
    );
  }
}

/**
 * A decorator depends on a key that no decorator or module sets on its route. Thrown at startup.
 * @remarks Add the decorator of that key to the route, its class or its module.
 */
export class UnmetContributorDependencyError extends CoreError {
  readonly code = 'CORE_UNMET_CONTRIBUTOR_DEPENDENCY';

  constructor(key: string, dependency: string, route: string) {
    super(
      `Context key "${key}" of ${route} depends on "${dependency}", which is not set for this route. ` +
        `Add the decorator for "${dependency}" to the route, its class or its module.`,
    );
  }
}

/**
 * Decorators depend on each other in a circle. Thrown at startup.
 * @remarks Remove one key of the circle from a `dependsOn` list.
 */
export class ContributorCycleError extends CoreError {
  readonly code = 'CORE_CONTRIBUTOR_CYCLE';

  /** @param path the keys of the circle. The first key is repeated at the end */
  constructor(path: readonly string[], route: string) {
    super(
      `Context keys of ${route} depend on each other: ${path.join(' → ')}. ` +
        'Remove one of these keys from a dependsOn list.',
    );
  }
}

/**
 * A token in `deps` has no provider in the application. Thrown at startup.
 * @remarks Add the token to the providers of a module that the application imports.
 */
export class UnknownContributorDepError extends CoreError {
  readonly code = 'CORE_UNKNOWN_CONTRIBUTOR_DEP';

  constructor(key: string, name: string, token: string, route: string) {
    super(
      `Context key "${key}" of ${route} needs deps.${name}, but no module provides ${token}. ` +
        `Add ${token} to the providers of a module that the application imports.`,
    );
  }
}

/**
 * NestJS 11 ignores the schema of a parameter, such as `@Body({ schema })`. Thrown at startup.
 * @remarks Upgrade to NestJS 12, or pass a pipe that validates, such as a `ZodValidationPipe`.
 */
export class IgnoredSchemaError extends CoreError {
  readonly code = 'CORE_IGNORED_SCHEMA';

  /**
   * @param decorator decorator of the parameter, if known
   * @param position number of the parameter, starting with 1
   */
  constructor(handler: string, position: number, decorator?: string) {
    super(
      `NestJS 11 ignores the { schema } of ${decorator ?? 'a parameter'} in ${handler} (parameter ` +
        `${position}), so the handler would receive unchecked input. Upgrade to NestJS 12, or pass a ` +
        `pipe that validates, such as a ZodValidationPipe.`,
    );
  }
}

/**
 * A hook of an adapter or plugin threw an error. Stops the startup. `cause` is the original error.
 * @remarks Read `cause`: it is the error that the hook threw.
 */
export class AdapterHookError extends CoreError {
  readonly code = 'CORE_ADAPTER_HOOK_FAILED';

  constructor(adapter: string, hook: string, cause: unknown) {
    super(
      `${adapter} failed in ${hook}: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  }
}

/**
 * `app.use()` of an adapter was called after the routes were mounted.
 * @remarks Call `app.use()` in the hook `beforeMount`.
 */
export class LateMountError extends CoreError {
  readonly code = 'CORE_LATE_MOUNT';

  constructor(adapter: string, path: string) {
    super(
      `${adapter} called app.use() for "${path}" after the routes were mounted. Call app.use() ` +
        'in the hook beforeMount.',
    );
  }
}

/**
 * `direct: true` is set, but the server does not pass its requests to the platform. Stops the
 * startup.
 * @remarks Call `app.init()` before you attach another library to the server, such as socket.io.
 * Remove `direct` if the server is created with Fastify's `serverFactory`.
 */
export class DirectServerError extends CoreError {
  readonly code = 'CORE_DIRECT_SERVER';

  constructor() {
    super(
      'The option `direct` is true, so the HTTP server must pass its requests to Express or ' +
        'Fastify, but another listener receives the requests. Call app.init() before you attach ' +
        "a library to the server. If Fastify's serverFactory creates the server, remove `direct`.",
    );
  }
}

/** The folder of a package: `/app/node_modules/@fledge/core`. */
function folderOf(url: string): string {
  return decodeURI(url)
    .replace(/^file:\/\//, '')
    .replace(/\/(dist|src)\/(checks\/)?[^/]*$/, '');
}
