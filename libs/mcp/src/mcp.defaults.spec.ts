import { describe, expect, it } from '@jest/globals';
import { McpOptionError } from './mcp.errors.js';
import { resolveMcpOptions } from './mcp.defaults.js';
import type { McpAdapterOptions } from './mcp.options.js';

describe('resolveMcpOptions', () => {
  it('applies the defaults of the contract', () => {
    expect(resolveMcpOptions({ name: 'task-api' })).toEqual({
      name: 'task-api',
      version: '0.0.0',
      description: undefined,
      mode: 'explicit',
      transport: 'http',
      endpoint: '/_mcp/messages',
      include: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exclude: [],
      warnUndescribed: false,
      auth: undefined,
      sessions: { max: 1, reclaimAfterMs: 60_000, idleTimeoutMs: undefined },
      forwardHeaders: [
        'authorization',
        'mcp-session-id',
        'accept-language',
        'traceparent',
        'tracestate',
        'baggage',
      ],
      allowedOrigins: new Set(),
      allowedHosts: undefined,
      limits: {
        requestBytes: 4_194_304,
        responseBytes: 1_048_576,
        timeoutMs: 30_000,
        listItems: Number.MAX_SAFE_INTEGER,
      },
      visible: undefined,
      stateSecret: undefined,
      telemetry: { mode: 'full', arguments: false, results: false },
    });
  });

  it('takes sse as another word for http, and a base path with or without its last slash', () => {
    const resolved = resolveMcpOptions({ name: 'a', transport: 'sse', basePath: '/ai/tools/' });
    expect(resolved.endpoint).toBe('/ai/tools/messages');
  });

  it.each<[string, Partial<McpAdapterOptions> | object, RegExp]>([
    ['name', { name: '' }, /\{ name \}\) is "", but must be a non-empty string/],
    ['mode', { mode: 'all' }, /\{ mode \}\) is "all", but must be 'explicit' or 'auto'/],
    ['transport', { transport: 'ws' }, /\{ transport \}\) is "ws"/],
    ['basePath', { basePath: '_mcp' }, /with a leading slash/],
    ['basePath pattern', { basePath: '/:id' }, /plain segments/],
    ['include', { include: ['HEAD'] }, /one of GET, POST, PUT, PATCH, DELETE/],
    ['sessions.max', { sessions: { max: 0 } }, /sessions\.max .* whole number of at least 1/],
    ['sessions.max', { sessions: { max: Infinity } }, /sessions\.max/],
    ['sessions.reclaimAfterMs', { sessions: { reclaimAfterMs: 0 } }, /sessions\.reclaimAfterMs/],
    ['timeoutMs', { limits: { timeoutMs: 1.5 } }, /limits\.timeoutMs/],
    ['auth', { auth: { type: 'basic' } }, /auth\.type/],
    ['auth', { auth: { type: 'bearer' } }, /auth\.validate/],
    ['host header', { forwardHeaders: ['Host'] }, /"Host"/],
    ['content header', { forwardHeaders: ['content-length'] }, /forwardHeaders/],
    ['audit', { audit: {} }, /audit.onCall }\) is undefined, but must be a function/],
    [
      'telemetry',
      { telemetry: 'on' },
      /telemetry }\) must be an object with .* or full or propagate/,
    ],
    ['telemetry.mode', { telemetry: { mode: 'on' } }, /telemetry.mode }\) is "on"/],
    ['origin *', { allowedOrigins: ['*'] }, /a full origin such as/],
    ['origin wildcard', { allowedOrigins: ['http://*'] }, /a full origin/],
    ['origin null', { allowedOrigins: ['null'] }, /a full origin/],
  ])('refuses what can never work, naming option and cure: %s', (_, options, message) => {
    const resolve = () => resolveMcpOptions({ name: 'a', ...options });
    expect(resolve).toThrow(McpOptionError);
    expect(resolve).toThrow(message);
  });

  it.each<[object, string, string]>([
    [{ atuh: {} }, '{ atuh }', 'auth'],
    [{ allowedOrigin: [] }, '{ allowedOrigin }', 'allowedOrigins'],
    [{ auth: { validator: () => true } }, '{ auth: { validator } }', 'validate'],
    [{ sessions: { idleTimeout: 5 } }, '{ sessions: { idleTimeout } }', 'idleTimeoutMs'],
    [{ limits: { timeout: 5 } }, '{ limits: { timeout } }', 'timeoutMs'],
    [{ audit: { oncall: 5 } }, '{ audit: { oncall } }', 'onCall'],
    [{ telemetry: { result: true } }, '{ telemetry: { result } }', 'results'],
  ])('refuses a misspelt name: %j', (options, place, nearest) => {
    const resolve = () => resolveMcpOptions({ name: 'a', ...options });
    expect(resolve).toThrow(McpOptionError);
    expect(resolve).toThrow(
      `McpModule.forRoot(${place}) is no option. Did you mean ${nearest}? There are`,
    );
  });

  it.each(['auth', 'sessions', 'limits', 'audit'])(
    'refuses another thing than an object for %s',
    (name) => {
      expect(() => resolveMcpOptions({ name: 'a', [name]: 5 })).toThrow(
        `McpModule.forRoot({ ${name} }) must be an object with`,
      );
    },
  );

  it('takes each option there is', () => {
    const all: Required<McpAdapterOptions> = {
      name: 'a',
      version: '1.0.0',
      description: 'A',
      mode: 'auto',
      transport: 'http',
      basePath: '/_mcp',
      include: ['GET'],
      exclude: ['/admin'],
      warnUndescribed: true,
      auth: {
        type: 'bearer',
        validate: () => true,
        resourceMetadata: { resource: 'https://a.b', authorization_servers: [], own: 1 },
      },
      sessions: { max: 1, reclaimAfterMs: 1, idleTimeoutMs: 1 },
      forwardHeaders: [],
      allowedOrigins: [],
      allowedHosts: [],
      limits: { requestBytes: 1, responseBytes: 1, timeoutMs: 1, listItems: 1 },
      visible: () => true,
      stateSecret: 's'.repeat(32),
      audit: { onCall: () => undefined, await: true, arguments: false },
      telemetry: { mode: 'full', arguments: true, results: true },
    };
    expect(() => resolveMcpOptions(all)).not.toThrow();
  });
});
