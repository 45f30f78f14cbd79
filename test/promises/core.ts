import type { Promised } from './promise.js';

export const corePromises: readonly Promised[] = [
  {
    page: 'libs/core/README.md',
    words: 'The injected instance serves all requests',
    spec: 'libs/core/test/context.spec.ts',
    test: 'shows the parts of the request, to handlers and to singletons',
  },
  {
    page: 'libs/core/docs/loaders.md',
    words: 'Values are not shared between requests',
    spec: 'libs/core/test/loader.spec.ts',
    test: 'never serves a request from the batch of another: 200 interleaved requests of 20 callers',
  },
];
