import {
  callback,
  checkedLater,
  flag,
  isObject,
  type OptionTable,
  readOptions,
} from '@fledge-internal/options';
import DataLoader from 'dataloader';
import { loadersHere } from '../context/request-loaders.js';
import { CoreOptionError } from '../errors.js';
import { placeOf } from '../checks/option-place.js';

/** Options of dataloader. `cacheMap` is not allowed, because requests would share the map. */
export type LoaderOptions<K, V, C = K> = Omit<DataLoader.Options<K, V, C>, 'cacheMap'>;

/** Returns one value or Error for each key, in the order of the keys. */
export type LoadBatch<K, V> = DataLoader.BatchLoadFn<K, V>;

/**
 * Returns the loader of a key for the running request. Outside requests, jobs and events, each call
 * creates a new loader without a cache, because nothing would ever clear the cache.
 * @throws CoreOptionError
 */
export function loaderHere<K, V, C = K>(
  key: unknown,
  batch: LoadBatch<K, V>,
  options: LoaderOptions<K, V, C> | undefined,
): DataLoader<K, V, C> {
  const loaders = loadersHere();
  const known = loaders?.get(key) as DataLoader<K, V, C> | undefined;
  if (known !== undefined) return known;
  checkLoaderOptions(options, 'ctx.loader');
  const loader = new DataLoader(batch, loaders ? options : { ...options, cache: false });
  loaders?.set(key, loader);
  return loader;
}

/** dataloader itself checks the values of the options in `checkedLater`. */
const OPTIONS = {
  batch: flag.optional,
  maxBatchSize: checkedLater,
  batchScheduleFn: callback<(run: () => void) => void>().optional,
  cache: flag.optional,
  cacheKeyFn: callback<(key: unknown) => unknown>().optional,
  name: checkedLater,
} satisfies OptionTable<LoaderOptions<unknown, unknown>>;

/**
 * @param call the call that receives the options, such as `ctx.loader`
 * @throws CoreOptionError
 */
export function checkLoaderOptions(options: unknown, call: string): void {
  if (options === undefined) return;
  if (isObject(options) && 'cacheMap' in options) {
    throw new CoreOptionError(
      `${call}({ cacheMap }) is not supported. All requests would share this cache, so a request ` +
        'could read the rows of other users and tenants. Remove cacheMap. Each request has its ' +
        'own cache.',
    );
  }
  readOptions(options, OPTIONS, placeOf(call));
}
