import type DataLoader from 'dataloader';
import { checkLoaderOptions, loaderHere, type LoaderOptions } from './loader-here.js';

/**
 * A provider that loads many rows together. Code such as field resolvers still requests one row at
 * a time. The provider stays a singleton. Loaded values are kept for one request or for one event
 * of a subscription. A change of the user or tenant discards the values. Outside requests and jobs,
 * no value is kept, and `load` loads only one key.
 *
 * @example
 * ```ts
 * @Injectable()
 * export class AuthorLoader extends ContextLoader<number, Author> {
 *   constructor(private readonly authors: AuthorsService) {
 *     super();
 *   }
 *
 *   protected async batch(ids: readonly number[]) {
 *     const found = new Map((await this.authors.byIds(ids)).map((author) => [author.id, author]));
 *     return ids.map((id) => found.get(id) ?? new NotFoundException(`No author ${id}`));
 *   }
 * }
 * ```
 */
export abstract class ContextLoader<K, V, C = K> {
  /**
   * @param options options of dataloader, such as `{ maxBatchSize: 100 }`
   * @default the defaults of dataloader
   * @throws CoreOptionError for `cacheMap`, and for an unknown or invalid option
   */
  constructor(private readonly options?: LoaderOptions<K, V, C>) {
    checkLoaderOptions(options, new.target.name);
  }

  /** Loads the keys. Returns one value or Error for each key, in the order of the keys. */
  protected abstract batch(keys: readonly K[]): PromiseLike<ArrayLike<V | Error>>;

  /**
   * Loads one value, together with other values that are requested at the same time.
   * @throws the Error that `batch` returned for the key, or the error that `batch` threw
   */
  load(key: K): Promise<V> {
    return this.current.load(key);
  }

  /** Loads several values. A failed key has an Error instead of a value. */
  loadMany(keys: readonly K[]): Promise<(V | Error)[]> {
    return this.current.loadMany([...keys]);
  }

  /** Removes a value of this request, for example after it was changed. */
  clear(key: K): void {
    this.current.clear(key);
  }

  /** Removes all values of this request. */
  clearAll(): void {
    this.current.clearAll();
  }

  /** Adds a value that other code loaded, unless the key is already loaded. */
  prime(key: K, value: V | Error): void {
    this.current.prime(key, value);
  }

  private get current(): DataLoader<K, V, C> {
    return loaderHere<K, V, C>(this, this.loadBatch, this.options);
  }

  private readonly loadBatch = (keys: readonly K[]) => this.batch(keys);
}
