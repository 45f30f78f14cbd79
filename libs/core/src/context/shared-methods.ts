import type { InjectionToken } from '@nestjs/common';
import { MissingPackageError } from '../errors.js';

declare global {
  // A global namespace, such as Express' namespace for requests. Packages can extend it even if
  // core is not installed.
  // oxlint-disable-next-line typescript/no-namespace
  namespace Fledge {
    /**
     * Methods that other packages add to `RequestContext`. `@fledge/query/nest` adds `qs()` and
     * `paginate()`.
     */
    // oxlint-disable-next-line typescript/no-empty-object-type -- filled by packages
    interface RequestContextMethods {}
  }
}

const SHARED_METHODS = Symbol.for('fledge:RequestContext.methods');

/** Finds a provider of the application. Returns undefined if there is none. */
export type ProviderLookup = (token: InjectionToken) => unknown;

/**
 * Other packages add methods for every `RequestContext` here. The object is stored under a global
 * symbol, so they need not import core. All copies of core in a process share it.
 */
export const sharedMethods: Record<string, (...args: never[]) => unknown> = ((
  globalThis as { [SHARED_METHODS]?: typeof sharedMethods }
)[SHARED_METHODS] ??= {});

/** By method name, the package to install and the entry to import. */
const ADDED: Readonly<Record<string, readonly [name: string, entry: string]>> = {
  qs: ['@fledge/query', '@fledge/query/nest'],
  paginate: ['@fledge/query', '@fledge/query/nest'],
  loader: ['dataloader', '@fledge/core/loader'],
};

// A package that was loaded before core has already added its methods.
for (const [method, [name, entry]] of Object.entries(ADDED)) {
  sharedMethods[method] ??= () => {
    throw new MissingPackageError(`ctx.${method}()`, name, entry);
  };
}
