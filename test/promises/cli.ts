import type { Promised } from './promise.js';

export const cliPromises: readonly Promised[] = [
  {
    page: 'libs/cli/README.md',
    words: 'whatever a provider, a logger, a worker thread or a child process prints',
    spec: 'libs/cli/test/start.spec.ts',
    test: 'writes nothing but JSON-RPC to stdout, and ends with its stdin',
  },
  {
    page: 'libs/cli/README.md',
    words: 'keeps every other key and server',
    spec: 'libs/cli/test/init.spec.ts',
    test: 'keeps every other key and server, indent, mode and link',
  },
  {
    page: 'libs/cli/README.md',
    words: 'another server with that name only if you give `--force`',
    spec: 'libs/cli/test/init.spec.ts',
    test: 'replaces another server of the same name with --force only',
  },
  {
    page: 'libs/cli/README.md',
    words: 'the result is printed too',
    spec: 'libs/cli/test/list-call.spec.ts',
    test: 'prints the answer of a tool that fails, too, and ends with 1',
  },
];
