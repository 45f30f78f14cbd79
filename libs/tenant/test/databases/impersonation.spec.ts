// Needs PostgreSQL, Redis.
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Logger, Post } from '@nestjs/common';
import {
  CentralRoute,
  Tenancy,
  TenantModule,
  tenantLogFields,
  TenantOptionError,
  type TenantAdapterOptions,
  type TenantRecord,
} from '@fledge/tenant';
import {
  type ImpersonationEvent,
  type ImpersonationRequest,
  TenantImpersonation,
  TenantImpersonationModule,
  type TenantImpersonationOptions,
} from '@fledge/tenant/impersonation';
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import pg from 'pg';
import {
  call,
  closeAll,
  type Platform,
  platforms,
  post,
  serve,
} from '../../../../test/support/platforms.js';

const REDIS_URL = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';
const DATABASE_URL = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const secret = 'a secret of more than thirty-two bytes';
const tenants: Record<string, TenantRecord> = {};
let events: ImpersonationEvent[] = [];

@Controller()
class Routes {
  private readonly logger = new Logger('Routes');

  constructor(
    private readonly impersonation: TenantImpersonation,
    private readonly tenancy: Tenancy,
  ) {}

  @CentralRoute()
  @Post('admin/impersonate')
  async issue(@Body() request: ImpersonationRequest) {
    return { code: await this.impersonation.issue(request) };
  }

  @Post('impersonation')
  redeem(@Body('code') code: unknown) {
    return this.impersonation.redeem(code);
  }

  @Get('whoami')
  whoami() {
    const { impersonatedBy } = this.tenancy.current();
    return { ...tenantLogFields(), seen: impersonatedBy ?? null };
  }

  @Get('within')
  async within() {
    const { tenancy } = this;
    return {
      central: await tenancy.runCentral('report', () => tenantLogFields()),
      other: await tenancy.run('beta', () => tenantLogFields()),
      job: await tenancy.runFrom(tenancy.metadata(), () => tenantLogFields()),
      jobInOther: await tenancy.run('beta', () =>
        tenancy.runFrom(tenancy.metadata(), () => tenantLogFields()),
      ),
      again: await this.impersonation
        .issue({ tenant: 'beta', by: 'x', reason: 'y' })
        .catch((error: Error) => error.name),
    };
  }

  private readonly listeners: (() => object)[] = [];

  @Get('listen')
  async listen() {
    const { tenancy } = this;
    const bind = () => void this.listeners.push(tenancy.bind(() => tenantLogFields()));
    bind();
    await tenancy.run('beta', bind);
  }

  @Get('notify')
  notify() {
    return this.listeners.map((listener) => listener());
  }

  @CentralRoute()
  @Get('central')
  central() {
    this.logger.log('central');
    return tenantLogFields();
  }
}

interface Setup {
  readonly tenant?: Partial<TenantAdapterOptions>;
  readonly impersonation?: Partial<TenantImpersonationOptions>;
}

async function boot(platform: Platform, { tenant, impersonation }: Setup = {}) {
  events = [];
  Object.assign(tenants, { acme: { tenantId: 't-1' }, beta: { tenantId: 't-2' } });
  const { url, app } = await serve(
    {
      imports: [
        TenantModule.forRoot({
          strategy: 'header',
          store: (name) => tenants[name],
          cache: false,
          ...tenant,
        }),
        TenantImpersonationModule.forRoot({
          secrets: [secret],
          onEvent: (event) => void events.push(event),
          ...impersonation,
        }),
      ],
      controllers: [Routes],
    },
    platform,
  );
  const impersonationOf = app.get(TenantImpersonation);
  const issue = (name = 'acme') =>
    impersonationOf.issue({ tenant: name, by: 'sam@support', reason: 'ticket 7' });
  const redeem = (code: unknown, name = 'acme') => {
    const { headers, ...rest } = post({ code });
    return call(`${url}/impersonation`, { ...rest, headers: { ...headers, 'x-tenant-id': name } });
  };
  const get = (path: string, headers: Record<string, string> = {}, name = 'acme') =>
    call(`${url}/${path}`, { headers: { 'x-tenant-id': name, ...headers } });
  const sessionFor = async (name = 'acme') => {
    const { body } = await redeem(await issue(name), name);
    return (body as { session: string }).session;
  };
  return { url, app, issue, redeem, get, sessionFor };
}

const REFUSED = {
  status: 403,
  body: {
    statusCode: 403,
    error: 'Forbidden',
    code: 'TENANT_IMPERSONATION_REFUSED',
    message: 'The impersonation is not accepted',
  },
};
const inHeader = (session: string) => ({ 'x-tenant-impersonation': session });
const inCookie = (session: string) => ({ cookie: `a=b; __Host-tenant-impersonation=${session}` });
const whys = () => events.flatMap((event) => (event.kind === 'refused' ? [event.why] : []));

afterEach(async () => {
  await closeAll();
});

describe.each(platforms)('impersonation on $name', (platform) => {
  it('exchanges a code of a central page for a session that is seen in the tenant', async () => {
    const { url, redeem, get } = await boot(platform);
    const began = Date.now();
    const issued = await call(
      `${url}/admin/impersonate`,
      post({ tenant: 'acme', by: 'sam@support', reason: 'ticket 7' }),
    );
    const { code } = issued.body as { code: string };
    const { status, body } = await redeem(code);
    expect(status).toBe(201);
    const { session, expiresAt, id } = body as Record<string, string>;
    expect(body).toMatchObject({ tenantId: 't-1', by: 'sam@support', reason: 'ticket 7' });
    expect(Number(expiresAt)).toBeGreaterThanOrEqual(began + 900_000);
    const marked = { tenantId: 't-1', impersonatedBy: 'sam@support', seen: 'sam@support' };
    expect((await get('whoami', inHeader(session!))).body).toEqual(marked);
    expect((await get('whoami', inCookie(session!))).body).toEqual(marked);
    expect((await get('whoami')).body).toEqual({ tenantId: 't-1', seen: null });
    expect(events).toMatchObject([
      { kind: 'issued', id, by: 'sam@support', tenantId: 't-1' },
      { kind: 'redeemed', id, by: 'sam@support', reason: 'ticket 7' },
    ]);
  });

  it('stays in the log fields of central routes, nested scopes and jobs', async () => {
    const { get, sessionFor } = await boot(platform);
    const session = await sessionFor();
    const impersonatedBy = 'sam@support';
    expect((await get('central', inHeader(session))).body).toEqual({ impersonatedBy });
    expect((await get('within', inHeader(session))).body).toEqual({
      central: { impersonatedBy },
      other: { tenantId: 't-2', impersonatedBy },
      job: { tenantId: 't-1', impersonatedBy },
      jobInOther: { tenantId: 't-2', impersonatedBy },
      again: 'TenantOptionError',
    });
    const nobody = (await get('within')).body as Record<string, object>;
    expect(JSON.stringify(nobody)).not.toContain(impersonatedBy);
  });

  it('names the person who bound a function, not the person who calls it', async () => {
    const { get, sessionFor } = await boot(platform);
    const session = inHeader(await sessionFor());
    await get('listen');
    await get('listen', session);
    const impersonatedBy = 'sam@support';
    const heard = [
      { tenantId: 't-1' },
      { tenantId: 't-2' },
      { tenantId: 't-1', impersonatedBy },
      { tenantId: 't-2', impersonatedBy },
    ];
    expect((await get('notify', session)).body).toEqual(heard);
    expect((await get('notify')).body).toEqual(heard);
  });

  it('accepts a code once of 100 exchanges at once', async () => {
    const { issue, redeem } = await boot(platform);
    const code = await issue();
    const answers = await Promise.all(Array.from({ length: 100 }, () => redeem(code)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.find(({ status }) => status !== 201)).toEqual(REFUSED);
    expect(whys()).toEqual(Array.from({ length: 99 }, () => 'used'));
  });

  it('refuses a code at another tenant, and uses it up', async () => {
    const { issue, redeem } = await boot(platform);
    const code = await issue('acme');
    expect(await redeem(code, 'beta')).toEqual(REFUSED);
    expect(await redeem(code, 'acme')).toEqual(REFUSED);
    expect(whys()).toEqual(['other tenant', 'used']);
  });

  it('refuses a code and a session whose identifier went to another tenant', async () => {
    const { issue, redeem, get, sessionFor } = await boot(platform);
    const session = await sessionFor();
    const code = await issue();
    tenants['acme'] = { tenantId: 't-9' };
    expect(await redeem(code)).toEqual(REFUSED);
    expect(await get('whoami', inHeader(session))).toEqual(REFUSED);
    expect(whys()).toEqual(['other tenant', 'other tenant']);
    // The tenant under its new name.
    tenants['acme2'] = { tenantId: 't-1' };
    expect((await get('whoami', inHeader(session), 'acme2')).status).toBe(200);
  });

  it('ends with the tenant: suspended tenants are not served', async () => {
    const { issue, redeem, get, sessionFor } = await boot(platform);
    const session = await sessionFor();
    const code = await issue();
    tenants['acme'] = { tenantId: 't-1', status: 'suspended' };
    expect((await redeem(code)).body).toMatchObject({ code: 'TENANT_SUSPENDED' });
    expect((await get('whoami', inHeader(session))).body).toMatchObject({
      code: 'TENANT_SUSPENDED',
    });
    await expect(issue()).rejects.toMatchObject({ code: 'TENANT_SUSPENDED' });
    await expect(issue('nobody')).rejects.toMatchObject({ code: 'TENANT_UNKNOWN' });
  });

  it('refuses a session of another tenant, and several sessions', async () => {
    const { get, sessionFor } = await boot(platform);
    const [acme, beta] = [await sessionFor('acme'), await sessionFor('beta')];
    expect(await get('whoami', inHeader(beta))).toEqual(REFUSED);
    expect(await get('whoami', inCookie(beta))).toEqual(REFUSED);
    expect(await get('whoami', { ...inHeader(acme), ...inCookie(beta) })).toEqual(REFUSED);
    expect((await get('whoami', { ...inHeader(acme), ...inCookie(acme) })).status).toBe(200);
    expect((await get('whoami', inCookie(`${acme}; a=b`))).status).toBe(200);
    expect((await get('nowhere', inHeader(beta))).status).toBe(404);
    expect(whys()).toEqual(['other tenant', 'other tenant', 'ambiguous', 'other tenant']);
  });

  it('gives forged, truncated and swapped texts one answer', async () => {
    const { issue, redeem, get, sessionFor } = await boot(platform);
    const session = await sessionFor();
    const code = await issue();
    const [payload, signature] = code.split('.') as [string, string];
    const list = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[];
    const foreign = Buffer.from(JSON.stringify(list.with(1, 't-2'))).toString('base64url');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const texts = [
      '',
      '.',
      payload,
      `${payload}.`,
      `${payload}.${signature.slice(0, -1)}`,
      `${payload}.${signature}=`,
      `${payload}.${signature}.${signature}`,
      `${payload}.${'A'.repeat(43)}`,
      `${foreign}.${signature}`,
      `${payload.slice(0, -1)}.${signature}`,
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      'x'.repeat(100_000 - 20),
      session,
      null,
      7,
      { code },
      [code],
    ];
    for (const text of texts) expect(await redeem(text)).toEqual(REFUSED);
    for (const text of [...texts.slice(1, 12), code]) {
      expect(await get('whoami', inHeader(text as string))).toEqual(REFUSED);
    }
    // None of them has used the code up.
    expect((await redeem(code)).status).toBe(201);
  });

  it('keeps verify: the session gives no tenant to a user of another', async () => {
    const { get, sessionFor } = await boot(platform, {
      tenant: { verify: { principal: ({ headers }) => headers['x-user-of'] } },
    });
    const session = await sessionFor();
    expect((await get('whoami', { ...inHeader(session), 'x-user-of': 't-1' })).status).toBe(200);
    expect((await get('whoami', { ...inHeader(session), 'x-user-of': 't-2' })).body).toMatchObject({
      code: 'TENANT_MISMATCH',
    });
  });

  it('hides with errors.opaque which tenants exist', async () => {
    const { get, redeem } = await boot(platform, { tenant: { errors: { opaque: true } } });
    const unknown = await get('whoami', inHeader('junk'), 'nobody');
    expect(unknown.status).toBe(404);
    expect(await get('whoami', inHeader('junk'))).toEqual(unknown);
    expect((await redeem('junk')).body).toEqual(unknown.body);
  });

  it('verifies with each secret and signs with the first', async () => {
    const next = randomBytes(32);
    const before = await boot(platform);
    const session = await before.sessionFor();
    const after = await boot(platform, { impersonation: { secrets: [next, secret] } });
    expect((await after.get('whoami', inHeader(session))).status).toBe(200);
    const renewed = await after.sessionFor();
    const done = await boot(platform, { impersonation: { secrets: [next] } });
    expect((await done.get('whoami', inHeader(renewed))).status).toBe(200);
    expect(await done.get('whoami', inHeader(session))).toEqual(REFUSED);
  });

  it('accepts no code while the store of used codes fails or answers something else', async () => {
    const answers = [() => Promise.reject(new Error('redis is down')), () => 1 as never];
    for (const take of answers) {
      const { issue, redeem } = await boot(platform, { impersonation: { usedCodes: { take } } });
      const { status, body } = await redeem(await issue());
      expect(status).toBeGreaterThanOrEqual(403);
      expect(JSON.stringify(body)).not.toContain('redis');
    }
  });
});

describe('used codes of several processes', () => {
  const redis = [new Redis(REDIS_URL), new Redis(REDIS_URL)];
  const pools = [1, 2].map(() => new pg.Pool({ connectionString: DATABASE_URL, max: 10 }));
  const table = `used_code_${randomBytes(4).toString('hex')}`;

  afterAll(async () => {
    await pools[0]!.query(`drop table if exists ${table}`);
    await Promise.all(pools.map((pool) => pool.end()));
    redis.forEach((client) => client.disconnect());
  });

  const inRedis = (client: Redis): TenantImpersonationOptions['usedCodes'] => ({
    take: async ({ id, keepUntil }) =>
      (await client.set(`impersonation:${id}`, '1', 'PXAT', keepUntil, 'NX')) === 'OK',
  });
  const inSql = (pool: pg.Pool): TenantImpersonationOptions['usedCodes'] => ({
    take: async ({ id, keepUntil }) => {
      const { rowCount } = await pool.query(
        `insert into ${table} (id, keep_until) values ($1, to_timestamp($2 / 1000.0)) on conflict do nothing`,
        [id, keepUntil],
      );
      return rowCount === 1;
    },
  });

  it.each(['Redis', 'PostgreSQL'])('gives a code to one of two applications, by %s', async (by) => {
    await pools[0]!.query(
      `create table if not exists ${table} (id text primary key, keep_until timestamptz not null)`,
    );
    const stores = by === 'Redis' ? redis.map(inRedis) : pools.map(inSql);
    const apps: Awaited<ReturnType<typeof boot>>[] = [];
    for (const [i, usedCodes] of stores.entries()) {
      apps.push(await boot(platforms[i]!, { impersonation: { usedCodes: usedCodes! } }));
    }
    for (let round = 0; round < 3; round += 1) {
      const code = await apps[0]!.issue();
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => apps[i % 2]!.redeem(code)),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    }
  });
});

describe('options of impersonation', () => {
  it.each([
    [{ secrets: [] }, /secrets/],
    [{ secrets: ['short'] }, /32 bytes/],
    [{ secrets: secret }, /\(\{ secrets \}\) must be a list/],
    [{ secrets: [secret], codeMs: 600_001 }, /a whole number from 1 to 600000/],
    [{ secrets: [secret], sessionMs: Infinity }, /sessionMs/],
    [{ secrets: [secret], cookie: 'a=b' }, /cookie/],
    [{ secrets: [secret], ttl: 60 }, /ttl/],
    [undefined, /secrets/],
  ])('refuses %j', async (options, message) => {
    const module = {
      imports: [
        TenantModule.forRoot({ strategy: 'header' }),
        TenantImpersonationModule.forRoot(options as never),
      ],
    };
    const booted = serve(module, platforms[0]!);
    await expect(booted).rejects.toThrow(TenantOptionError);
    await expect(booted).rejects.toThrow(message);
  });

  it.each([
    { by: '' },
    { by: 'a\nb' },
    { by: '\u202eevil' },
    { by: 'x'.repeat(129) },
    { reason: '' },
    { reason: undefined },
    { reason: 'x'.repeat(10_000) },
  ])('issues no code for %j', async (wrong) => {
    const { app } = await boot(platforms[0]!);
    const request = { tenant: 'acme', by: 'sam', reason: 'ticket', ...wrong };
    const issued = app.get(TenantImpersonation).issue(request as ImpersonationRequest);
    await expect(issued).rejects.toMatchObject({
      code: 'TENANT_IMPERSONATION_INVALID',
      status: 400,
    });
  });

  it.each([{}, { errors: { opaque: true } }])(
    'refuses codes outside of a request as in one, with %j',
    async (tenant) => {
      const { app, issue } = await boot(platforms[0]!, { tenant });
      const impersonation = app.get(TenantImpersonation);
      const redeem = (code: string) =>
        app.get(Tenancy).run('acme', () => impersonation.redeem(code));
      const code = await issue();
      expect(await redeem(code)).toMatchObject({ tenantId: 't-1', by: 'sam@support' });
      await expect(redeem(code)).rejects.toMatchObject({
        code: 'errors' in tenant ? 'TENANT_UNKNOWN' : 'TENANT_IMPERSONATION_REFUSED',
      });
      expect(whys()).toEqual(['used']);
    },
  );
});
