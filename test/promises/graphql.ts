import type { Promised } from './promise.js';

export const graphqlPromises: readonly Promised[] = [
  {
    page: 'libs/graphql/docs/tracing.md',
    words: 'Spans that resolvers start, such as those of an ORM, are its children',
    spec: 'libs/graphql/test/tracing.spec.ts',
    test: 'have the spans of their resolvers as children',
  },
  {
    page: 'libs/graphql/docs/tracing.md',
    words: 'one for each request; operations of a batch share one',
    spec: 'libs/graphql/test/tracing.spec.ts',
    test: 'of a batch to Apollo share a span',
  },
  {
    page: 'libs/graphql/docs/tracing.md',
    words: 'one for each operation, in a trace of its own',
    spec: 'libs/graphql/test/tracing.spec.ts',
    test: 'of a socket have a span each, in traces of their own',
  },
  {
    page: 'libs/graphql/docs/tracing.md',
    words: 'has a span with Apollo only',
    spec: 'libs/graphql/test/tracing.spec.ts',
    test: 'that were refused before execution have a span with Apollo only',
  },
  {
    page: 'libs/graphql/docs/tracing.md',
    words: 'The span of a subscription ends when its stream has started',
    spec: 'libs/graphql/test/tracing.spec.ts',
    test: 'that subscribe have a span until their stream has started',
  },
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
