import type { Promised } from './promise.js';

export const cliPromises: readonly Promised[] = [
  {
    page: 'libs/cli/README.md',
    words: 'output of providers, loggers, worker threads and child processes goes to stderr',
    spec: 'libs/cli/test/start.spec.ts',
    test: 'writes nothing but JSON-RPC to stdout, and ends with its stdin',
  },
  {
    page: 'libs/cli/README.md',
    words: 'other keys and',
    spec: 'libs/cli/test/init.spec.ts',
    test: 'keeps other keys and servers, the indent, the mode and the link',
  },
  {
    page: 'libs/cli/README.md',
    words: 'Keeps comments',
    spec: 'libs/cli/test/init-clients.spec.ts',
    test: 'keeps comments and other servers',
  },
  {
    page: 'libs/cli/docs/clients.md',
    words: 'A file holds no token',
    spec: 'libs/cli/test/init-clients.spec.ts',
    test: 'writes and prints no token',
  },
  {
    page: 'libs/cli/README.md',
    words: 'another server with this name only with `--force`',
    spec: 'libs/cli/test/init.spec.ts',
    test: 'replaces another server with this name only with --force',
  },
  {
    page: 'libs/cli/README.md',
    words: 'the result is printed too',
    spec: 'libs/cli/test/list-call.spec.ts',
    test: 'prints the result of a tool that fails, and exits with 1',
  },
];
