import type { Promised } from './promise.js';

export const rootPromises: readonly Promised[] = [
  {
    page: 'README.md',
    words: 'the same middleware, guards, interceptors, pipes and filters',
    spec: 'libs/mcp/test/trace.spec.ts',
    test: 'is its route called directly: $name',
  },
  {
    page: 'README.md',
    words: 'in the same order, and the handler gets the same arguments as over HTTP',
    spec: 'libs/mcp/test/trace.spec.ts',
    test: 'is its route called directly: $name',
  },
  {
    page: 'README.md',
    words: 'in the same order',
    spec: 'libs/mcp/test/trace.spec.ts',
    test: 'writes down what it claims to: the order of Nest',
  },
  {
    page: 'README.md',
    words: '**one at a time unless you say so**',
    spec: 'libs/mcp/test/sessions.spec.ts',
    test: 'are one by default, and the refusal says when a place may come free',
  },
  {
    page: 'README.md',
    words: 'gives up its place after `sessions.reclaimAfterMs` (60 seconds)',
    spec: 'libs/mcp/test/sessions.spec.ts',
    test: 'go to a client that asks once a session has been idle for reclaimAfterMs',
  },
  {
    page: 'README.md',
    words: 'after `sessions.reclaimAfterMs` (60 seconds)',
    spec: 'libs/mcp/src/mcp.defaults.spec.ts',
    test: 'applies the defaults of the contract',
  },
  {
    page: 'README.md',
    words: 'each subscriber keeps its own user and tenant for every event',
    spec: 'libs/graphql/test/subscriptions-tenants.spec.ts',
    test: 'are those of the subscriber for each event, not the publisher’s',
  },
];
