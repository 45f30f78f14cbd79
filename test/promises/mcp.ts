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
    page: 'libs/mcp/docs/telemetry.md',
    words: 'digest of the session id, the same for the calls of a session',
    spec: 'libs/mcp/test/audit.spec.ts',
    test: 'gives the calls of one session one key',
  },
  {
    page: 'libs/mcp/docs/live-calls.md',
    words: 'of the same call and caller',
    spec: 'libs/mcp/test/live-call.spec.ts',
    test: 'nothing but the same call of the same caller may bring',
  },
  {
    page: 'libs/mcp/docs/live-calls.md',
    words: 'An answer counts for the very question it was given to',
    spec: 'libs/mcp/test/live-call.spec.ts',
    test: 'ask anew where the question has changed since it was answered',
  },
  {
    page: 'libs/mcp/docs/production.md',
    words: 'Set one `stateSecret` for all of them',
    spec: 'libs/mcp/test/scale-out.spec.ts',
    test: 'serve a client of 2026-07-28 without affinity, its elicitations too',
  },
  {
    page: 'libs/mcp/docs/production.md',
    words: 'with the id of a session of the same caller replaces',
    spec: 'libs/mcp/test/sessions.spec.ts',
    test: 'go at once to the client that initializes anew under its own id',
  },
  {
    page: 'libs/mcp/docs/production.md',
    words: 'with the id of a session of the same caller replaces',
    spec: 'libs/mcp/test/sessions.spec.ts',
    test: 'do not go to another principal by the id',
  },
];
