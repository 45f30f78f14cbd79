import type { Promised } from './promise.js';

export const corePromises: readonly Promised[] = [
  {
    page: 'libs/core/README.md',
    words: 'The injected instance serves all requests',
    spec: 'libs/core/test/context.spec.ts',
    test: 'shows the parts of the request, to handlers and to singletons',
  },
];
