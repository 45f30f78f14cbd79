import { describe, expect, it } from '@jest/globals';
import { CHECKED_CLIENTS } from './check/checked-server.js';
import { EXTENSIONS } from './extensions/index.js';
import { McpOptionError } from './mcp.errors.js';
import { resolveMcpOptions as resolveOptions } from './mcp.defaults.js';
import type { McpAdapterOptions } from './mcp.options.js';

const resolveMcpOptions = (options: McpAdapterOptions) => resolveOptions(options, EXTENSIONS);

const DEFAULT_HEADERS = [
  'authorization',
  'mcp-session-id',
  'accept-language',
  'traceparent',
  'tracestate',
  'baggage',
];

describe('resolveMcpOptions', () => {
  it('applies the defaults of the contract', () => {
    const { endpoints, extensions, ...shared } = resolveMcpOptions({ name: 'task-api' });
    expect(endpoints).toEqual([
      {
        ...shared,
        extensions,
        path: '/_mcp/messages',
        server: { name: 'task-api', version: '0.0.0' },
        instructions: undefined,
        selection: {
          tags: undefined,
          include: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'],
          exclude: [],
        },
        auth: undefined,
        sessions: { max: 1, reclaimAfterMs: 60_000, idleTimeoutMs: undefined },
      },
    ]);
    const given = [...extensions].flatMap(([name, { options }]) =>
      options ? [[name, options]] : [],
    );
    expect(Object.fromEntries(given)).toEqual({
      hiddenCharacters: 'remove',
      pages: [],
      result: {
        maxBytes: undefined,
        overflow: 'truncate',
        linkTtlMs: 600_000,
        maxLinks: 1_000,
        linkBytes: 67_108_864,
      },
      tasks: {
        ttlMs: 3_600_000,
        pollIntervalMs: 1_000,
        max: 1_000,
        maxPerCaller: 1_000,
        store: undefined,
      },
      telemetry: { mode: 'full', arguments: false, results: false },
      writes: { store: undefined, transaction: undefined },
      toolNames: 'dotted',
      check: { clients: CHECKED_CLIENTS, rules: ['N1', 'N6', 'S4'] },
    });
    expect(shared).toEqual({
      mode: 'explicit',
      transport: 'http',
      include: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'],
      exclude: [],
      warnUndescribed: false,
      forwardHeaders: DEFAULT_HEADERS,
      allowedOrigins: new Set(),
      direct: false,
      allowedHosts: undefined,
      limits: {
        requestBytes: 4_194_304,
        responseBytes: 1_048_576,
        timeoutMs: 30_000,
        listItems: Number.MAX_SAFE_INTEGER,
      },
      outputSchemas: 'explicit',
      visible: undefined,
      toolSources: [],
      stateSecret: undefined,
    });
  });

  it('takes sse as another word for http, and a base path with or without its last slash', () => {
    const resolved = resolveMcpOptions({ name: 'a', transport: 'sse', basePath: '/ai/tools/' });
    expect(resolved.transport).toBe('http');
    expect(resolved.endpoints[0]?.path).toBe('/ai/tools/messages');
  });

  it.each([
    [undefined, DEFAULT_HEADERS],
    [
      ['cookie', 'X-Api-Key'],
      [...DEFAULT_HEADERS, 'cookie', 'x-api-key'],
    ],
    [['Authorization'], DEFAULT_HEADERS],
    [[], []],
  ])('adds forwardHeaders %j to the default list', (forwardHeaders, expected) => {
    const given = forwardHeaders && { forwardHeaders };
    expect(resolveMcpOptions({ name: 'x', ...given }).forwardHeaders).toEqual(expected);
  });

  it.each<[string, Partial<McpAdapterOptions> | object, RegExp]>([
    ['name', { name: '' }, /\{ name \}\) is "", but must be a non-empty string/],
    ['mode', { mode: 'all' }, /\{ mode \}\) is "all", but must be 'explicit' or 'auto'/],
    ['result.overflow', { result: { overflow: 'cut' } }, /result\.overflow .*'truncate' or 'link'/],
    [
      'result.maxLinks',
      { result: { maxLinks: 0 } },
      /result\.maxLinks .* whole number of at least 1/,
    ],
    [
      'outputSchemas',
      { outputSchemas: 'all' },
      /\{ outputSchemas \}\) is "all", but must be 'explicit'/,
    ],
    [
      'allowedHosts',
      { allowedHosts: ['a.example', '127.0.0.1:3000'] },
      /allowedHosts\[1\] \}\) is "127.0.0.1:3000", but must be a host name without protocol, port/,
    ],
    [
      'host pattern',
      { allowedHosts: ['*.a.example'] },
      /is "\*.a.example", but must be a host name/,
    ],
    ['no host', { allowedHosts: [] }, /allowedHosts \}\) is empty, so every request/],
    ['transport', { transport: 'ws' }, /\{ transport \}\) is "ws"/],
    ['basePath', { basePath: '_mcp' }, /starts with a slash/],
    ['basePath pattern', { basePath: '/:id' }, /has only letters, digits/],
    [
      'include',
      { include: ['HEAD'] },
      /include\[0\] .* must be 'GET', 'POST', 'PUT', 'PATCH', 'DELETE' or 'QUERY'/,
    ],
    ['sessions.max', { sessions: { max: 0 } }, /sessions\.max .* whole number of at least 1/],
    ['sessions.max', { sessions: { max: Infinity } }, /sessions\.max/],
    ['sessions.reclaimAfterMs', { sessions: { reclaimAfterMs: 0 } }, /sessions\.reclaimAfterMs/],
    ['timeoutMs', { limits: { timeoutMs: 1.5 } }, /limits\.timeoutMs/],
    ['auth', { auth: { type: 'basic' } }, /auth\.type/],
    ['auth', { auth: { type: 'bearer' } }, /auth\.validate/],
    ['host header', { forwardHeaders: ['Host'] }, /"Host"/],
    ['no header name', { forwardHeaders: ['x api'] }, /"x api"/],
    ['content header', { forwardHeaders: ['content-length'] }, /forwardHeaders/],
    ['audit', { audit: {} }, /audit.onCall }\) is undefined, but must be a function/],
    [
      'telemetry',
      { telemetry: 'on' },
      /telemetry.mode }\) is "on", but must be 'full', 'propagate' or 'off'/,
    ],
    ['telemetry.mode', { telemetry: { mode: 'on' } }, /telemetry.mode }\) is "on"/],
    ['origin *', { allowedOrigins: ['*'] }, /a full origin such as/],
    ['origin wildcard', { allowedOrigins: ['http://*'] }, /a full origin/],
    ['origin null', { allowedOrigins: ['null'] }, /a full origin/],
    ['origin path', { allowedOrigins: ['https://a.b/c'] }, /a full origin/],
    ['websiteUrl', { websiteUrl: 'a.b' }, /websiteUrl }\) is "a.b", but must be an absolute URL/],
    ['icon', { icons: [{ src: 'javascript:1' }] }, /icons\[0\]\.src }\) is "javascript:1"/],
    [
      'no endpoints',
      { endpoints: [] },
      /endpoints }\) is an empty list, but must be a list with at least one/,
    ],
    [
      'basePath',
      { basePath: '/a', endpoints: [{ path: '/b' }] },
      /must be removed, because each item of `endpoints`/,
    ],
    ['no path', { endpoints: [{ name: 'b' }] }, /endpoints\[0\]\.path }\) is undefined/],
    ['path', { endpoints: [{ path: '/a' }, { path: 'b' }] }, /endpoints\[1\]\.path }\) is "b"/],
    [
      'one path twice',
      { endpoints: [{ path: '/a' }, { path: '/A/' }] },
      /different from the path of endpoints\[0\]/,
    ],
    ['no tags', { endpoints: [{ path: '/a', tags: [] }] }, /endpoints\[0\]\.tags/],
    [
      'include',
      { endpoints: [{ path: '/a', include: ['get'] }] },
      /endpoints\[0\]\.include\[0\] }\) is "get"/,
    ],
    ['name', { endpoints: [{ path: '/a', name: '' }] }, /endpoints\[0\]\.name/],
    [
      'auth',
      { endpoints: [{ path: '/a', auth: { type: 'basic' } }] },
      /endpoints\[0\]\.auth\.type/,
    ],
    [
      'sessions',
      { endpoints: [{ path: '/a', sessions: { max: 0 } }] },
      /endpoints\[0\]\.sessions\.max/,
    ],
  ])('refuses what can never work, naming option and cure: %s', (_, options, message) => {
    const resolve = () => resolveMcpOptions({ name: 'a', ...options });
    expect(resolve).toThrow(McpOptionError);
    expect(resolve).toThrow(message);
  });

  it.each<[object, string, string]>([
    [{ atuh: {} }, '{ atuh }', 'auth'],
    [{ allowedOrigin: [] }, '{ allowedOrigin }', 'allowedOrigins'],
    [{ auth: { validator: () => true } }, '{ auth.validator }', 'validate'],
    [{ sessions: { idleTimeout: 5 } }, '{ sessions.idleTimeout }', 'idleTimeoutMs'],
    [{ limits: { timeout: 5 } }, '{ limits.timeout }', 'timeoutMs'],
    [{ audit: { oncall: 5 } }, '{ audit.oncall }', 'onCall'],
    [{ telemetry: { result: true } }, '{ telemetry.result }', 'results'],
    [{ endpoints: [{ paht: '/a' }] }, '{ endpoints[0].paht }', 'path'],
    [{ sessions: { resume: { retry: 1 } } }, '{ sessions.resume.retry }', 'retryMs'],
    [{ tasks: { ttl: 1 } }, '{ tasks.ttl }', 'ttlMs'],
    [{ result: { maxByte: 1 } }, '{ result.maxByte }', 'maxBytes'],
    [
      { auth: { type: 'oidc', requiredScope: ['mcp'] } },
      '{ auth.requiredScope }',
      'requiredScopes',
    ],
    [
      { pages: [{ uri: 'ui://a', file: 'a.html', csp: { frameDomain: [] } }] },
      '{ pages[0].csp.frameDomain }',
      'frameDomains',
    ],
    [
      { endpoints: [{ path: '/a', sessions: { resume: { keep: 1 } } }] },
      '{ endpoints[0].sessions.resume.keep }',
      'keepMs',
    ],
    [{ icons: [{ mime: 'a' }] }, '{ icons[0].mime }', 'mimeType'],
  ])('refuses a misspelt name: %j', (options, place, nearest) => {
    const resolve = () => resolveMcpOptions({ name: 'a', ...options });
    expect(resolve).toThrow(McpOptionError);
    expect(resolve).toThrow(
      `McpModule.forRoot(${place}) is not an option. Did you mean ${nearest}? The options are`,
    );
  });

  it.each(['auth', 'sessions', 'limits', 'audit'])(
    'refuses another thing than an object for %s',
    (name) => {
      expect(() => resolveMcpOptions({ name: 'a', [name]: 5 })).toThrow(
        `McpModule.forRoot({ ${name} }) is 5, but must be an object with`,
      );
    },
  );

  it.each([
    [{ exclude: ['/a', 1] }, '{ exclude[1] }'],
    [{ endpoints: [{ path: '/a', exclude: [1] }] }, '{ endpoints[0].exclude[0] }'],
  ])('names the item of a list that is no string: %j', (options, place) => {
    expect(() => resolveMcpOptions({ name: 'a', ...options } as never)).toThrow(
      `McpModule.forRoot(${place}) is 1, but must be a string.`,
    );
  });

  it('gives an endpoint what the module says, where it says nothing itself', () => {
    const auth = { type: 'bearer', validate: () => true } as const;
    const own = { type: 'bearer', validate: () => false } as const;
    const { endpoints } = resolveMcpOptions({
      name: 'shop',
      title: 'Shop',
      version: '2.0.0',
      instructions: 'Be brief.',
      auth,
      sessions: { max: 5 },
      endpoints: [
        { path: '/a' },
        { path: '/b', name: 'admin', auth: own, instructions: 'Ask first.' },
        { path: '/c', auth: false, sessions: { max: 2 } },
      ],
    });
    expect(
      endpoints.map((each) => [each.path, each.server, each.instructions, each.sessions.max]),
    ).toEqual([
      ['/a', { name: 'shop', title: 'Shop', version: '2.0.0' }, 'Be brief.', 5],
      ['/b', { name: 'admin', version: '2.0.0' }, 'Ask first.', 5],
      ['/c', { name: 'shop', title: 'Shop', version: '2.0.0' }, 'Be brief.', 2],
    ]);
    expect(endpoints.map(({ auth: each }) => each?.type === 'bearer' && each.validate)).toEqual([
      auth.validate,
      own.validate,
      false,
    ]);
  });

  it('refuses two documents about one resource', () => {
    const auth = (issuer: string) => ({
      type: 'bearer' as const,
      validate: () => true,
      resourceMetadata: { resource: 'https://a.b', authorization_servers: [issuer] },
    });
    const resolve = (second: string) =>
      resolveMcpOptions({
        name: 'a',
        endpoints: [
          { path: '/a', auth: auth('https://one.example') },
          { path: '/b', auth: auth(second) },
        ],
      });
    expect(() => resolve('https://one.example')).not.toThrow();
    expect(() => resolve('https://two.example')).toThrow(
      'endpoints[1].auth.resourceMetadata.resource }) is "https://a.b", but must be different from the ' +
        'resource of endpoints[0], because their metadata differs.',
    );
  });

  it('takes each option there is', () => {
    const { basePath, endpoints, ...all }: Required<McpAdapterOptions> = {
      name: 'a',
      version: '1.0.0',
      title: 'A',
      description: 'A',
      instructions: 'Call list first.',
      websiteUrl: 'https://a.b',
      icons: [{ src: 'https://a.b/c.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }],
      mode: 'auto',
      transport: 'http',
      basePath: '/_mcp',
      endpoints: [
        { path: '/mcp/a', tags: ['a'], include: ['GET'], exclude: ['/admin'], auth: false },
      ],
      include: ['GET'],
      exclude: ['/admin'],
      warnUndescribed: true,
      outputSchemas: 'declared',
      result: { maxBytes: 1, overflow: 'link', linkTtlMs: 1, maxLinks: 1, linkBytes: 1 },
      auth: {
        type: 'bearer',
        validate: () => true,
        resourceMetadata: { resource: 'https://a.b', authorization_servers: [], own: 1 },
      },
      sessions: { max: 1, reclaimAfterMs: 1, idleTimeoutMs: 1 },
      forwardHeaders: [],
      allowedOrigins: [],
      direct: true,
      allowedHosts: ['a.b'],
      limits: { requestBytes: 1, responseBytes: 1, timeoutMs: 1, listItems: 1 },
      visible: () => true,
      pages: [],
      tasks: { ttlMs: 60_000, pollIntervalMs: 1, max: 1, maxPerCaller: 1 },
      toolSources: [],
      stateSecret: 's'.repeat(32),
      audit: { onCall: () => undefined, await: true, arguments: false },
      telemetry: { mode: 'full', arguments: true, results: true },
      writes: {
        store: { connect: () => Promise.reject(new Error('not connected')) },
        transaction: (run) => run(),
      },
      hiddenCharacters: 'keep',
      search: { pinned: ['a'], maxResults: 1 },
      toolNames: 'underscored',
      check: ['claude'],
      cache: { ttlMs: 1, cacheScope: 'public' },
      servers: [
        {
          server: { connect: () => Promise.resolve(), close: () => Promise.resolve() },
          scopes: ['a'],
        },
      ],
    };
    expect(() => resolveMcpOptions({ ...all, basePath })).not.toThrow();
    expect(() => resolveMcpOptions({ ...all, endpoints })).not.toThrow();
  });
});
