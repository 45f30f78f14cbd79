import {
  atLeast,
  groupIfGiven,
  oneOf,
  type OptionTable,
  type ReadOptions,
} from '@fledge-internal/options';
import type { McpExtension } from '../../serve/methods/extension.js';
import type { CacheOption, McpCacheOptions } from './cache-options.js';

const CACHE = {
  ttlMs: atLeast(0).default(0),
  cacheScope: oneOf('private', 'public').default('private'),
} satisfies OptionTable<McpCacheOptions>;

const CACHE_OPTION = { cache: groupIfGiven(CACHE) } satisfies OptionTable<CacheOption>;

/** Lets clients cache lists. */
export const cache: McpExtension<CacheOption['cache'], ReadOptions<typeof CACHE>> = {
  name: 'cache',
  option: CACHE_OPTION.cache,

  create(listCaching, { path, perCaller, place }) {
    if (listCaching.cacheScope === 'public' && perCaller !== undefined) {
      throw place
        .at('cacheScope')
        .error(
          `is 'public', but the lists of ${path} depend on the caller because of the option ` +
            `\`${perCaller}\`. A shared cache would send one caller's list to other callers. Set ` +
            "cacheScope to 'private'",
        );
    }
    return Promise.resolve({ listCaching });
  },
};
