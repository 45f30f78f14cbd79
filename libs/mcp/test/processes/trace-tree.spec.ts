// The real SDK with the HTTP instrumentation, which must be loaded before `http`: in a process of its own, with the
// built package and both official clients.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';

interface FinishedSpan {
  readonly scope: string;
  readonly name: string;
  readonly kind: number;
  readonly trace: string;
  readonly id: string;
  readonly parent?: string;
  readonly links: readonly string[];
  readonly status: { readonly code: number };
  readonly attributes: Readonly<Record<string, unknown>>;
}

const app = fileURLToPath(new URL('../telemetry/app.mjs', import.meta.url));
const SERVER = 1;
const HTTP = '@opentelemetry/instrumentation-http';

describe.each(['express', 'fastify', 'express direct', 'fastify direct'])(
  'the spans of calls on %s',
  (setup) => {
    let spans: readonly FinishedSpan[] = [];

    beforeAll(async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [app, ...setup.split(' ')]);
      spans = JSON.parse(stdout) as FinishedSpan[];
    });

    const of = (id: string) => spans.find((span) => span.id === id);
    /** The call, what is below it and what is above it, found by the path of its route. */
    function familyOf(path: string) {
      const route = spans.find(({ attributes }) => attributes['url.path'] === path);
      const call = of(route?.parent ?? '');
      return {
        route,
        call,
        query: spans.find(({ parent }) => parent === route?.id),
        above: of(call?.parent ?? ''),
      };
    }

    describe.each([
      ['older', '2025-11-25', '1'],
      ['newer', '2026-07-28', '2'],
    ])('by the official %s client', (client, revision, digit) => {
      it('hold the route and its query, and are held by the HTTP request', () => {
        const { route, call, query, above } = familyOf(`/tasks/${client}-ambient`);
        expect(route).toMatchObject({ scope: HTTP, kind: SERVER });
        expect(query).toMatchObject({ scope: 'orm', name: 'SELECT tasks' });
        expect(call).toMatchObject({
          scope: '@fledge/mcp',
          name: 'tools/call find',
          kind: SERVER,
          links: [],
          status: { code: 0 },
          attributes: {
            'mcp.method.name': 'tools/call',
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': 'find',
            'mcp.protocol.version': revision,
            'network.transport': 'tcp',
            'network.protocol.name': 'http',
            'network.protocol.version': '1.1',
            'client.address': '127.0.0.1',
            'client.port': expect.any(Number),
            'jsonrpc.request.id': expect.stringMatching(/^\d+$/),
          },
        });
        expect(above).toMatchObject({ scope: HTTP, attributes: { 'url.path': '/_mcp/messages' } });
        expect(new Set([route, query, call, above].map((span) => span?.trace)).size).toBe(1);
      });

      it('continue the trace in _meta, with a link to the HTTP request', () => {
        const { route, call, query } = familyOf(`/tasks/${client}-meta`);
        expect(call).toMatchObject({ trace: digit.repeat(32), parent: '00f067aa0ba902b7' });
        expect(call?.links).toHaveLength(1);
        expect(of(call?.links[0] ?? '')).toMatchObject({
          scope: HTTP,
          attributes: { 'url.path': '/_mcp/messages' },
        });
        expect([route?.trace, query?.trace]).toEqual([digit.repeat(32), digit.repeat(32)]);
      });

      it('of a resource have its URI as attribute, not in their name', () => {
        const { call } = familyOf(`/tasks/${client}-resource`);
        expect(call).toMatchObject({
          name: 'resources/read',
          attributes: { 'mcp.resource.uri': `tasks://${client}-resource` },
        });
        expect(call?.attributes).not.toHaveProperty(['gen_ai.operation.name']);
      });

      it('are made for an unknown tool, which is no error of the server', () => {
        const unknown = spans.find(
          ({ attributes }) =>
            attributes['gen_ai.tool.name'] === 'unknown' &&
            attributes['mcp.protocol.version'] === revision,
        );
        expect(unknown).toMatchObject({
          name: 'tools/call',
          status: { code: 0 },
          attributes: { 'rpc.response.status_code': '-32602' },
        });
        expect(unknown?.attributes).not.toHaveProperty(['error.type']);
      });
    });
  },
);
