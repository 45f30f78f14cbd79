// Parameter decorators of all libs hand over the same values, whatever type tsc emits for the parameter and
// whatever the global pipes of the application do by that type.
import * as core from '@fledge/core';
import * as mcp from '@fledge/mcp';
import { createMcpTestClient } from '@fledge/mcp/testing';
import * as query from '@fledge/query/nest';
import * as tenant from '@fledge/tenant';
import { afterAll, describe, expect, it } from '@jest/globals';
import * as common from '@nestjs/common';
import * as validator from 'class-validator';
import { emittedByTsc } from './support/emitted-by-tsc.js';
import { call, closeAll, platforms, serve } from './support/platforms.js';

/** Types of a parameter, by what tsc emits for them. */
const TYPES = {
  Object: 'Record<string, unknown>',
  Function: 'Callable',
  String: 'string',
  Number: 'number',
  Boolean: 'boolean',
  Array: 'string[]',
  Map: 'Map<string, string>',
  Set: 'Set<string>',
  Date: 'Date',
  Promise: 'Promise<string>',
  Symbol: 'symbol',
  BigInt: 'bigint',
  Plain: 'Plain',
  Ruled: 'Ruled',
  Abstract: 'Abstract',
  Unconstructible: 'AbortSignal',
};
const NAMES = Object.keys(TYPES);

const SOURCE = `
  import { Ctx, FromContext } from '@fledge/core';
  import { McpCallInfo, McpTool } from '@fledge/mcp';
  import { Paginate, Qs } from '@fledge/query/nest';
  import { CurrentTenant } from '@fledge/tenant';
  import { Controller, Get } from '@nestjs/common';
  import { IsInt } from 'class-validator';

  interface Callable { (): void }
  class Plain {}
  class Ruled { @IsInt() required!: number }
  abstract class Abstract { abstract get(): void }

  const TASKS = { filterable: ['status'], sortable: ['due'], searchable: ['title'] };

  @Controller()
  export class Typed {
    ${Object.entries(TYPES)
      .map(
        ([name, type]) => `
    @Get('${name}')
    @McpTool({ name: '${name}', description: 'Takes all that a decorator gives' })
    take${name}(
      @Qs(TASKS) parsed: ${type},
      @Paginate() paginate: ${type},
      @Paginate(TASKS) another: ${type},
      @Ctx() ctx: ${type},
      @FromContext('user') user: ${type},
      @CurrentTenant() tenant: ${type},
      @McpCallInfo() call: ${type},
    ) {
      return {
        ...paginate({ data: parsed.filters, total: 57 }),
        parsed,
        another: another.parsed,
        method: ctx.method,
        name: user.name,
        signal: user.signal.aborted,
        tenant: tenant.tenantId,
        tool: call?.name ?? null,
      };
    }`,
      )
      .join('\n')}
  }
`;

const { Typed } = emittedByTsc(SOURCE, {
  '@fledge/core': core,
  '@fledge/mcp': mcp,
  '@fledge/query/nest': query,
  '@fledge/tenant': tenant,
  '@nestjs/common': common,
  'class-validator': validator,
}) as { Typed: common.Type };

@common.Module({
  imports: [
    core.ContextModule,
    query.QueryModule.forRoot(),
    mcp.McpModule.forRoot({ name: 'typed' }),
    tenant.TenantModule.forRoot({ strategy: 'header' }),
  ],
  controllers: [Typed],
})
class AppModule {}

const parsed = {
  filters: [{ field: 'status', operator: 'eq', value: '007' }],
  sort: [{ field: 'due', direction: 'desc' }],
  pagination: { page: 3, limit: 10, offset: 20 },
  search: '42',
};
const answer = {
  data: parsed.filters,
  meta: { page: 3, limit: 10, total: 57, totalPages: 6, hasNext: true, hasPrev: true },
  parsed,
  another: parsed,
  method: 'GET',
  name: 'ada',
  signal: false,
  tenant: 'acme',
};

/** Makes of a value what its parameter is said to be, as Nest's Parse*Pipes do. */
class ParseByType implements common.PipeTransform {
  async transform(value: never, metadata: common.ArgumentMetadata): Promise<unknown> {
    switch (metadata.metatype as unknown) {
      case Object:
      case undefined:
        return value;
      case Number:
        return new common.ParseIntPipe().transform(value, metadata);
      case Boolean:
        return new common.ParseBoolPipe().transform(value, metadata);
      case Array:
        return new common.ParseArrayPipe().transform(value, metadata);
      case String:
        return String(value);
      default:
        return new (metadata.metatype as common.Type)();
    }
  }
}

const strict = { transform: true, whitelist: true, forbidNonWhitelisted: true } as const;
const PIPES: Readonly<Record<string, () => common.PipeTransform>> = {
  'no pipe': () => ({ transform: (value: unknown) => value }),
  'ValidationPipe({ transform })': () => new common.ValidationPipe({ transform: true }),
  'a strict ValidationPipe': () => new common.ValidationPipe(strict),
  'a ValidationPipe for all decorators': () =>
    new common.ValidationPipe({
      ...strict,
      validateCustomDecorators: true,
      forbidUnknownValues: true,
      transformOptions: { enableImplicitConversion: true },
    }),
  'pipes that parse by type': () => new ParseByType(),
};

afterAll(closeAll);

it('tsc emits the types the spec is about', () => {
  const emitted = Object.fromEntries(
    NAMES.map((name) => {
      const host = emittedByTsc(
        `
        interface Callable { (): void }
        class Plain {} class Ruled {} abstract class Abstract {}
        const record = (...args: any[]) => {};
        export class Host { take(@record x: ${TYPES[name as keyof typeof TYPES]}) {} }
      `,
        {},
      )['Host'] as common.Type;
      const types = Reflect.getMetadata('design:paramtypes', host.prototype as object, 'take') as [
        Function,
      ];
      return [name, types[0].name];
    }),
  );
  const own = Object.fromEntries(NAMES.map((name) => [name, name]));
  expect(emitted).toEqual({ ...own, Unconstructible: 'AbortSignal' });
});

describe.each(platforms)('parameters on $name', (platform) => {
  describe.each(Object.entries(PIPES))('behind %s', (_pipes, pipe) => {
    it('hold what their decorators promise', async () => {
      const { app, url } = await serve(AppModule, platform, (app) => {
        app.useGlobalPipes(pipe());
        app.use((req: { user?: unknown }, _res: unknown, next: () => void) => {
          req.user = { name: 'ada', signal: new AbortController().signal };
          next();
        });
      });
      const client = await createMcpTestClient(app, { headers: { 'x-tenant-id': 'acme' } });
      for (const name of NAMES) {
        const path = `/${name}?filter=status:eq:007&sort=due:desc&page=3&limit=10&q=42`;
        const direct = await call(url + path, { headers: { 'x-tenant-id': 'acme' } });
        expect([name, direct]).toEqual([name, { status: 200, body: { ...answer, tool: null } }]);
        const called = await client.callTool(name, {
          filter: ['status:eq:007'],
          sort: ['due:desc'],
          page: 3,
          limit: 10,
          q: '42',
        });
        expect(JSON.parse(textOf(called.content))).toEqual({ ...answer, tool: name });
      }
      await client.close();
    });
  });
});

function textOf([content]: readonly object[]): string {
  return (content as { text: string }).text;
}
