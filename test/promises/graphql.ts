import type { Promised } from './promise.js';

export const graphqlPromises: readonly Promised[] = [
  {
    page: 'libs/graphql/docs/runtimes.md',
    words: 'so that no catch-all hides it',
    spec: 'libs/graphql/test/mount.spec.ts',
    test: 'runs before the routes, also before a catch-all route',
  },
  {
    page: 'libs/graphql/docs/subscriptions.md',
    words: 'matched exactly, below the global prefix',
    spec: 'libs/graphql/test/upgrade-router.spec.ts',
    test: 'reach the endpoint with exactly their path, also if paths overlap',
  },
  {
    page: 'libs/graphql/docs/subscriptions.md',
    words: 'matched exactly, below the global prefix',
    spec: 'libs/graphql/test/upgrade-router.spec.ts',
    test: 'are served below the global prefix',
  },
  {
    page: 'libs/graphql/docs/subscriptions.md',
    words: "`'*'` lets in all. Others get HTTP 403",
    spec: 'libs/graphql/test/subscriptions-limits.spec.ts',
    test: 'accept pages of their own host and of listed origins, and clients other than browsers',
  },
  {
    page: 'libs/graphql/docs/subscriptions.md',
    words: 'An upgrade reaches the endpoint that has exactly its path',
    spec: 'libs/graphql/test/upgrade-router.spec.ts',
    test: 'reach the endpoint with exactly their path, also if paths overlap',
  },
];
