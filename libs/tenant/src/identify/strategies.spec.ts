import { describe, expect, it } from '@jest/globals';
import { HttpException } from '@nestjs/common';
import fc from 'fast-check';
import { requestOf, type Sent, wrapped } from '../../test/requests.js';
import { TenantOptionError } from '../tenant.errors.js';
import { resolveTenantOptions } from '../tenant.defaults.js';
import type {
  AnyTenantStrategy,
  TenantAdapterOptions,
  TenantResolverFn,
} from '../tenant.options.js';
import { type Identification, Strategies } from './strategies.js';
import { listTenantHeaders, listVaryHeaders } from './create-sources.js';

/** Short for what is found, absent or refused. */
function told(said: Identification): string {
  if (said.kind === 'found') return `${said.identifier} by ${said.source}`;
  return said.kind === 'absent' ? 'absent' : `${said.error.code}: ${said.error.message}`;
}

/** What the strategies say, which built-in ones say without a promise too. */
async function read(options: TenantAdapterOptions, sent: Sent = {}): Promise<string> {
  const strategies = new Strategies(resolveTenantOptions(options));
  const request = requestOf(sent);
  const hasFunction = [options.strategy]
    .flat()
    .some((one) => typeof one !== 'string' && !isBuiltIn(one));
  const said = await strategies.read(request);
  expect(strategies.readNow(request)).toEqual(hasFunction ? undefined : said);
  return told(said);
}

function isBuiltIn(strategy: AnyTenantStrategy): boolean {
  return typeof strategy === 'object' && strategy.type !== 'function';
}

const header = (...values: string[]) => ({
  headers: values.map((value) => ['X-Tenant-ID', value] as const),
});

describe('Strategies, one strategy', () => {
  it.each<[TenantAdapterOptions, Sent, string]>([
    [{ strategy: 'header' }, header('acme'), 'acme by header'],
    [{ strategy: 'header' }, {}, 'absent'],
    [{ strategy: 'header', header: 'X-Org' }, { headers: [['x-org', 'b']] }, 'b by header'],
    [{ strategy: 'header', header: 'X-Org' }, header('acme'), 'absent'],
    [{ strategy: 'query' }, { url: '/?tenant=acme' }, 'acme by query'],
    [{ strategy: 'query', queryParam: 'org' }, { url: '/?org=acme' }, 'acme by query'],
    [{ strategy: 'path' }, { url: '/x', originalUrl: '/acme/x' }, 'acme by path'],
    [{ strategy: 'path', path: { after: '/api' } }, { url: '/api/acme' }, 'acme by path'],
    [{ strategy: 'subdomain' }, { headers: [['Host', 'acme.example.com']] }, 'acme by subdomain'],
    [
      { strategy: { type: 'header', header: 'X-Org' } },
      { headers: [['x-org', 'b']] },
      'b by header',
    ],
    [
      { strategy: { type: 'header' }, header: 'X-Org' },
      { headers: [['x-org', 'b']] },
      'b by header',
    ],
    [{ strategy: { type: 'query', queryParam: 'o' } }, { url: '/?o=b' }, 'b by query'],
    [
      { strategy: { type: 'path', segment: 1 }, path: { after: '/api' } },
      { url: '/api/v1/b' },
      'b by path',
    ],
    [
      { strategy: { type: 'subdomain', level: 'last' }, subdomain: { baseDomains: ['x.org'] } },
      { headers: [['Host', 'a.b.x.org']] },
      'b by subdomain',
    ],
    [
      { strategy: 'subdomain', trust: { forwardedHost: false } },
      {
        headers: [
          ['Host', 'a.x.org'],
          ['X-Forwarded-Host', 'b.x.org'],
        ],
      },
      'a by subdomain',
    ],
    [
      { strategy: 'subdomain', trust: { forwardedHost: true } },
      {
        headers: [
          ['Host', 'a.x.org'],
          ['X-Forwarded-Host', 'b.x.org'],
        ],
      },
      'b by subdomain',
    ],
    [{ strategy: 'header', trust: { header: false } }, header('acme'), 'absent'],
    [{ strategy: { type: 'header' }, trust: { header: ['::1'] } }, header('acme'), 'absent'],
  ])('%o reads %o as %s', async (options, sent, expected) => {
    expect(await read(options, sent)).toBe(expected);
  });

  it.each([['../etc'], ["a'b"], ['a:b'], ['a\u0000'], ['x'.repeat(129)]])(
    'refuses %j with the place, never with the value',
    async (value) => {
      expect(await read({ strategy: 'header' }, header(value))).toBe(
        'TENANT_INVALID: The header x-tenant-id contains an invalid tenant identifier',
      );
    },
  );

  it('names the place of every refusal', async () => {
    const errors = await Promise.all([
      read({ strategy: 'header' }, header('a', 'b')),
      read({ strategy: 'query' }, { url: '/?tenant=a&tenant=b' }),
      read({ strategy: 'query' }, { url: '/?tenant=%' }),
      read({ strategy: 'path' }, { url: '/a%2Fb' }),
      read({ strategy: 'path' }, { url: '/%2e%2e/etc' }),
      read({ strategy: 'path' }, { url: '/http://other/acme' }),
      read({ strategy: 'subdomain' }, { headers: [['Host', 'a@b']] }),
    ]);
    expect(errors).toEqual([
      'TENANT_AMBIGUOUS: The header x-tenant-id contains more than one tenant',
      'TENANT_AMBIGUOUS: The query parameter `tenant` contains more than one tenant',
      'TENANT_INVALID: The query parameter `tenant` contains an invalid tenant identifier',
      'TENANT_INVALID: The path contains an invalid tenant identifier',
      'TENANT_INVALID: The path contains an invalid tenant identifier',
      'TENANT_INVALID: The path contains an invalid tenant identifier',
      'TENANT_INVALID: The host contains an invalid tenant identifier',
    ]);
  });

  it('keeps the rule of the options, and normalises', async () => {
    const identifier = { pattern: /[a-z]{2}/i, normalize: (id: string) => id.toLowerCase() };
    expect(await read({ strategy: 'header', identifier }, header('AB'))).toBe('ab by header');
    expect(await read({ strategy: 'header', identifier }, header('ABC'))).toMatch(
      /^TENANT_INVALID/,
    );
  });
});

describe('Strategies, a function', () => {
  function byToken() {
    return 'acme';
  }
  const of = (strategy: TenantResolverFn) => read({ strategy });

  it('is called its name, unless the option gave it one', async () => {
    expect(await of(byToken)).toBe('acme by byToken');
    expect(await read({ strategy: () => 'acme' }, {})).toBe('acme by function');
    expect(await read({ strategy: [() => 'acme'] }, {})).toBe('acme by function');
    const named = { type: 'function', name: 'token', resolve: byToken } as const;
    expect(await read({ strategy: named }, {})).toBe('acme by token');
  });

  it('gets the request as it is', async () => {
    expect(
      await read({ strategy: (req) => req.headers['x-a'] as string }, { headers: [['X-A', 'b']] }),
    ).toBe('b by function');
  });

  const INVALID_RESULT =
    'TENANT_INVALID: The result of the function "function" contains an invalid tenant identifier';

  it.each([
    [undefined, 'absent'],
    [null, 'absent'],
    ['', 'absent'],
    [' ', 'absent'],
    [' acme', INVALID_RESULT],
    [7, INVALID_RESULT],
    [['a'], INVALID_RESULT],
    [{}, INVALID_RESULT],
  ])('that answers %j, now or later: %s', async (answer, expected) => {
    expect(await read({ strategy: () => answer as string }, {})).toBe(expected);
    expect(await of(() => Promise.resolve(answer as string))).toBe(expected);
  });

  it('may answer with any thenable', async () => {
    const lazy = { then: (resolve: (id: string) => void) => resolve('acme') } as Promise<string>;
    expect(await of(() => lazy)).toBe('acme by function');
  });

  it('throws and rejects as it does', async () => {
    const teapot = new HttpException('teapot', 418);
    const fail = () => {
      throw teapot;
    };
    await expect(of(fail)).rejects.toBe(teapot);
    await expect(of(() => Promise.reject(teapot))).rejects.toBe(teapot);
    await expect(read({ strategy: ['header', fail] })).rejects.toBe(teapot);
    const behind = read({ strategy: [() => Promise.resolve(null), fail] });
    await expect(behind).rejects.toBe(teapot);
  });
});

describe('Strategies, several strategies', () => {
  const both: TenantAdapterOptions = { strategy: ['header', 'query'] };
  const agree: TenantAdapterOptions = { ...both, combine: 'agree' };
  const later = (id: string | null) => () => Promise.resolve(id);

  it.each<[string, Sent, string, string]>([
    ['neither', {}, 'absent', 'absent'],
    ['the first', header('a'), 'a by header', 'a by header'],
    ['the second', { url: '/?tenant=b' }, 'b by query', 'b by query'],
    ['both alike', { ...header('a'), url: '/?tenant=a' }, 'a by header', 'a by header'],
    [
      'two',
      { ...header('a'), url: '/?tenant=b' },
      'a by header',
      'TENANT_AMBIGUOUS: The request contains more than one tenant',
    ],
    [
      'an ill-formed one first',
      { ...header("a'"), url: '/?tenant=b' },
      'TENANT_INVALID: The header x-tenant-id contains an invalid tenant identifier',
      'TENANT_INVALID: The header x-tenant-id contains an invalid tenant identifier',
    ],
    [
      'an ill-formed one second',
      { ...header('a'), url: "/?tenant='" },
      'a by header',
      'TENANT_INVALID: The query parameter `tenant` contains an invalid tenant identifier',
    ],
  ])('that tell %s', async (_what, sent, first, agreed) => {
    expect(await read(both, sent)).toBe(first);
    expect(await read(agree, sent)).toBe(agreed);
  });

  it('agree after normalising', async () => {
    const identifier = { normalize: (id: string) => id.toLowerCase() };
    const sent = { ...header('ACME'), url: '/?tenant=acme' };
    expect(await read({ ...agree, identifier }, sent)).toBe('acme by header');
    expect(await read(agree, sent)).toMatch(/^TENANT_AMBIGUOUS/);
  });

  it.each([['first'], ['agree']] as const)(
    '%s: in order, also where one has to wait',
    async (combine) => {
      const asked: string[] = [];
      const ask = (name: string, id: string | null) => () => {
        asked.push(name);
        return id;
      };
      const strategy = [
        ask('one', null),
        later(null),
        ask('two', 'b'),
        later('b'),
        ask('three', 'b'),
      ];
      expect(await read({ strategy, combine })).toBe('b by function');
      expect(asked).toEqual(combine === 'first' ? ['one', 'two'] : ['one', 'two', 'three']);
    },
  );

  it('asks nobody behind a refusal', async () => {
    const fail = () => {
      throw new Error('asked');
    };
    for (const combine of ['first', 'agree'] as const) {
      expect(await read({ strategy: ['header', fail], combine }, header("a'"))).toMatch(
        /^TENANT_INVALID/,
      );
    }
  });

  it('disagree where the one that waited does', async () => {
    const options = { strategy: ['header', later('b')], combine: 'agree' } as const;
    expect(await read(options, header('a'))).toMatch(/^TENANT_AMBIGUOUS/);
  });
});

describe('Strategies, options that can never work', () => {
  it.each<[object, RegExp]>([
    [{}, /`strategy` of TenantModule is undefined\. Pass "header"/],
    [{ strategy: null }, /`strategy` of TenantModule is null/],
    [{ strategy: 'cookie' }, /`strategy` of TenantModule is "cookie"/],
    [{ strategy: ['header', 'cookie'] }, /`strategy` of TenantModule is "cookie"/],
    [{ strategy: { type: 'cookie' } }, /`strategy` of TenantModule is \{"type":"cookie"\}/],
    [{ strategy: [] }, /`strategy` of TenantModule is an empty list/],
    [{ strategy: { type: 'function', name: '', resolve: () => 'a' } }, /needs a `name`/],
    [{ strategy: 'header', header: '' }, /`header` of TenantModule is ""/],
    [{ strategy: { type: 'header', header: 'a b' } }, /`header` of TenantModule is "a b"/],
    [{ strategy: 'query', queryParam: '' }, /`queryParam` of TenantModule is empty/],
    [{ strategy: 'path', path: { after: 'api' } }, /`path\.after` of TenantModule is "api"/],
    [
      { strategy: 'subdomain', subdomain: { baseDomains: [] } },
      /\.baseDomains` of TenantModule is empty/,
    ],
    [
      { strategy: 'header', trust: { header: ['10/8'] } },
      /`trust\.header` of TenantModule has "10\/8"/,
    ],
    [{ strategy: 'header', header: 'Host' }, /`header` of TenantModule is "Host"/],
    [{ strategy: ['query', 'query'] }, /the strategy "query" twice/],
    [
      { strategy: ['header', 'path', { type: 'header', header: 'X-TENANT-ID' }] },
      /the strategy "header" twice/,
    ],
  ])('refuses %o', (options, message) => {
    const compile = () => new Strategies(resolveTenantOptions(options as TenantAdapterOptions));
    expect(compile).toThrow(TenantOptionError);
    expect(compile).toThrow(message);
  });
});

describe('Strategies, whatever is sent', () => {
  const options: TenantAdapterOptions = {
    strategy: ['header', 'query', 'path', 'subdomain'],
    trust: { forwardedHost: true },
  };
  const piece = fc.constantFrom(
    'acme',
    '/',
    '//',
    '?tenant=',
    '&',
    '%',
    '%2F',
    '[',
    '.',
    '@',
    '\0',
    'http://',
    ':80',
    ' ',
    '..',
  );
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.array(piece).map((list) => list.join('')),
  );
  const name = fc.constantFrom('x-tenant-id', 'host', 'x-forwarded-host', ':authority');

  it.each([['first'], ['agree']] as const)(
    '%s: nothing throws, and what is found is well-formed, of either request object',
    (combine) => {
      const strategies = new Strategies(resolveTenantOptions({ ...options, combine }));
      fc.assert(
        fc.property(text, fc.array(fc.tuple(name, text), { maxLength: 4 }), (url, headers) => {
          const request = requestOf({ url, headers });
          const said = strategies.readNow(request) as Identification;
          expect(strategies.readNow(wrapped(request))).toEqual(said);
          if (said.kind === 'found') expect(said.identifier).toMatch(/^[A-Za-z0-9][\w.-]{0,127}$/);
          if (said.kind === 'refused')
            expect(said.error.message).toMatch(
              /^The [a-z` -]+ contains (an invalid tenant|more than one tenant)/,
            );
        }),
        { numRuns: 500 },
      );
    },
  );
});

describe('listTenantHeaders', () => {
  it.each<[TenantAdapterOptions, string[]]>([
    [{ strategy: 'header' }, ['x-tenant-id']],
    [{ strategy: 'header', header: 'X-Org' }, ['x-org']],
    [{ strategy: 'query', header: 'X-Org' }, []],
    [
      { strategy: ['path', 'header', { type: 'header', header: 'X-Org' }, { type: 'header' }] },
      ['x-tenant-id', 'x-org'],
    ],
  ])('of %o are %j', (options, names) => {
    expect(listTenantHeaders(resolveTenantOptions(options))).toEqual(names);
  });
});

describe('listVaryHeaders', () => {
  const trust = { forwardedHost: true };
  it.each<[TenantAdapterOptions, string[]]>([
    [{ strategy: ['header', 'subdomain'] }, ['x-tenant-id']],
    [{ strategy: ['header', 'subdomain'], trust }, ['x-tenant-id', 'x-forwarded-host']],
    [{ strategy: { type: 'subdomain' }, trust }, ['x-forwarded-host']],
    [{ strategy: 'header', trust }, ['x-tenant-id']],
  ])('of %o are %j', (options, names) => {
    expect(listVaryHeaders(resolveTenantOptions(options))).toEqual(names);
  });
});
