import type DataLoader from 'dataloader';
import { checkLoaderOptions, loaderHere, type LoaderOptions } from './loader-here.js';

/**
 * A provider that loads many rows at once where code asks for one at a time, such as field resolvers. It stays a
 * singleton: what it loads is kept for one request, or for one event of a subscription, and for one user and
 * tenant. Outside of requests and jobs nothing is kept, and `load` asks for one key.
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
   * @param options of dataloader, such as `{ maxBatchSize: 100 }` @default those of dataloader
   * @throws CoreOptionError for `cacheMap`, and for an unknown or invalid option
   */
  constructor(private readonly options?: LoaderOptions<K, V, C>) {
    checkLoaderOptions(options, new.target.name);
  }

  /** Loads the keys. Returns one value or Error for each, in the order of the keys. */
  protected abstract batch(keys: readonly K[]): PromiseLike<ArrayLike<V | Error>>;

  /**
   * Loads one value, together with the others that are asked for at the same time.
   * @throws the Error that `batch` returned for the key, or what `batch` threw
   */
  load(key: K): Promise<V> {
    return this.current.load(key);
  }

  /** Loads several values. An Error stands in the place of its value. */
  loadMany(keys: readonly K[]): Promise<(V | Error)[]> {
    return this.current.loadMany([...keys]);
  }

  /** Forgets a value of this request, such as after it was changed. */
  clear(key: K): void {
    this.current.clear(key);
  }

  /** Forgets all values of this request. */
  clearAll(): void {
    this.current.clearAll();
  }

  /** Keeps a value that was loaded in another way, unless the key is loaded already. */
  prime(key: K, value: V | Error): void {
    this.current.prime(key, value);
  }

  private get current(): DataLoader<K, V, C> {
    return loaderHere<K, V, C>(this, this.loadBatch, this.options);
  }

  private readonly loadBatch = (keys: readonly K[]) => this.batch(keys);
}
