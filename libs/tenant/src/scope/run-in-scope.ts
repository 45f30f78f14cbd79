import { ClsServiceManager } from 'nestjs-cls';
import { scopedResult, type Within } from './scoped-result.js';
import { enterScope, type TenantScope } from './tenant-scope.js';

const cls = ClsServiceManager.getClsService();

/**
 * Runs a function in a scope and awaits its result there. Lazy results work in the scope too.
 * @param release called when the work is done, possibly several times
 */
export async function runInScope<R>(
  scope: TenantScope,
  run: () => R,
  release: () => void = noop,
): Promise<Awaited<R>> {
  try {
    // Awaited inside, because queries and other thenables start when they are awaited.
    return await enterScope(scope, async () => {
      const within = withinStore();
      return scopedResult(await run(), within, release);
    });
  } catch (error) {
    release();
    throw error;
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
