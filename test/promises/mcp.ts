import type { Promised } from './promise.js';

export const mcpPromises: readonly Promised[] = [
  {
    page: 'libs/mcp/README.md',
    words: 'A tool call is a request: same',
    spec: 'libs/mcp/test/trace.spec.ts',
    test: 'is its route called directly: $name',
  },
  {
    page: 'libs/mcp/README.md',
    words: 'the redirect is named, never followed',
    spec: 'libs/mcp/test/anchors.spec.ts',
    test: 'a redirect is told, not followed',
  },
  {
    page: 'libs/mcp/docs/access.md',
    words: 'Swagger UI, server-sent events',
    spec: 'libs/mcp/test/access.spec.ts',
    test: 'exposes in auto mode nothing of swagger',
  },
  {
    page: 'libs/mcp/docs/access.md',
    words: 'Swagger UI, server-sent events',
    spec: 'libs/mcp/test/routes.spec.ts',
    test: 'leave out server-sent events and rendered',
  },
  {
    page: 'libs/mcp/docs/access.md',
    words: 'are never exposed',
    spec: 'libs/mcp/test/uploads.spec.ts',
    test: 'is exposed by no mark of an upload in auto mode',
  },
  {
    page: 'libs/mcp/docs/live-calls.md',
    words: 'of the same call and caller',
    spec: 'libs/mcp/test/live-call.spec.ts',
    test: 'nothing but the same call of the same caller may bring',
  },
];
