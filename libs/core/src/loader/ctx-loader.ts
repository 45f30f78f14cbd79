import type DataLoader from 'dataloader';
import { sharedMethods } from '../context/shared-methods.js';
import { loaderHere, type LoadBatch, type LoaderOptions } from './loader-here.js';

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- see shared-methods.ts
  namespace Fledge {
    interface RequestContextMethods {
      /**
       * Returns the loader of a key. The loader belongs to the current user and tenant, and to this
       * request or this event of a subscription. The first call creates the loader. Later calls
       * with the same key return this loader and ignore `batch`.
       *
       * @param key the key of the loader. Use one key for each kind of value
       * @param batch returns one value or Error for each key, in the order of the keys
       * @param options options of dataloader
       * @example
       * ```ts
       * const author = await ctx.loader('author', (ids: readonly number[]) => authors.byIds(ids)).load(7);
       * ```
       */
      loader<K, V, C = K>(
        key: string | symbol,
        batch: LoadBatch<K, V>,
        options?: LoaderOptions<K, V, C>,
      ): DataLoader<K, V, C>;
    }
  }
}

sharedMethods['loader'] = (
  key: string | symbol,
  batch: LoadBatch<unknown, unknown>,
  options?: LoaderOptions<unknown, unknown>,
) => loaderHere(key, batch, options);
