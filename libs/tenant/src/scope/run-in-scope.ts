import { ClsServiceManager } from 'nestjs-cls';
import { scopedResult, type Within } from './scoped-result.js';
import { enterScope, type TenantScope } from './tenant-scope.js';

const cls = ClsServiceManager.getClsService();

/**
 * Runs a function in a scope and awaits its result there. Lazy results work in the scope too.
 * @param release called when the work is done, possibly several times
 */
export function runInScope<R>(
  scope: TenantScope,
  run: () => R,
  release: () => void = noop,
): Promise<Awaited<R>> {
  return enterScope(scope, () => resultOf(run, release));
}

/** Called in the scope. One async function, because promises are what a scope costs. */
async function resultOf<R>(run: () => R, release: () => void): Promise<Awaited<R>> {
  try {
    const within = withinStore();
    // Awaited in the scope, because queries and other thenables start when they are awaited.
    return scopedResult(await run(), within, release);
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Runs a function through `enter`, which finds the tenant first. Errors from before the function began go to `refuse`.
 */
export async function runOrRefuse<R>(
  enter: (run: () => R) => Promise<Awaited<R>>,
  run: () => R,
  refuse: (error: unknown) => Awaited<R> | Promise<Awaited<R>>,
): Promise<Awaited<R>> {
  let begun = false;
  try {
    return await enter(() => {
      begun = true;
      return run();
    });
  } catch (error) {
    if (begun) throw error;
    return refuse(error);
  }
}

/** Wraps a function so that each call runs in the given scope. */
export function bindToScope<Args extends unknown[], R>(
  scope: TenantScope,
  run: (...args: Args) => R,
): (...args: Args) => R {
  return function bound(this: unknown, ...args: Args): R {
    return enterScope(scope, () => scopedResult(run.apply(this, args), withinStore(), noop));
  };
}

/** Returns a function that enters the current store again later. */
function withinStore(): Within {
  const store = cls.get();
  return (run) => cls.runWith(store, run);
}

function noop(): void {}
