// Many requests of several tenants at once, behind each way to mount nestjs-cls and behind middleware that continues in
// a callback of a shared connection.
import { describe, expect, it } from '@jest/globals';
import {
  Controller,
  type DynamicModule,
  Get,
  Inject,
  Injectable,
  type INestApplication,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  type Type,
} from '@nestjs/common';
import {
  CurrentTenant,
  TENANT_CONTEXT,
  Tenancy,
  type TenantContext,
  TenantModule,
  UniversalRoute,
} from '@fledge/tenant';
import { expectNoTenantLeak, sharedConnectionMiddleware } from '@fledge/tenant/testing';
import { ClsModule } from 'nestjs-cls';
import { platforms, serve } from '../../../test/support/platforms.js';

export const tenants = ['acme', 'beta', 'gamma', 'delta', 'epsilon'];
export const random = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 4));

@Injectable()
export class Reader {
  constructor(@Inject(TENANT_CONTEXT) private readonly tenant: TenantContext) {}

  id(): string {
    return this.tenant.tenantId;
  }
}

@Controller()
export class Routes {
  constructor(
    private readonly reader: Reader,
    private readonly tenancy: Tenancy,
  ) {}

  @Get('whoami')
  async whoami(@CurrentTenant() given: TenantContext) {
    const seen = new Set([given.tenantId, this.reader.id()]);
    for (let i = 0; i < 3; i += 1) {
      await random();
      seen.add(this.reader.id());
    }
    return { tenantId: [...seen].join('+') };
  }

  @Get('maybe')
  @UniversalRoute()
  async maybe() {
    await random();
    return { tenantId: this.tenancy.currentOrNull()?.tenantId ?? null };
  }
}

interface Case {
  readonly name: string;
  readonly imports?: DynamicModule[];
  readonly middleware?: ReturnType<typeof sharedConnectionMiddleware>;
  readonly prepare?: (app: INestApplication) => void;
}

export function describeManyRequests(requests: number): void {
  describe.each(platforms)('many requests at once on $name', (platform) => {
    const mounts = {
      'nothing else': [],
      'nestjs-cls as middleware': [ClsModule.forRoot({ middleware: { mount: true } })],
      'nestjs-cls as guard': [ClsModule.forRoot({ guard: { mount: true } })],
      'nestjs-cls as interceptor': [ClsModule.forRoot({ interceptor: { mount: true } })],
    };
    const shared = sharedConnectionMiddleware();
    const cases: Case[] = [
      ...Object.entries(mounts).flatMap(([name, imports]): Case[] => [
        { name, imports },
        { name: `${name}, behind a callback`, imports, middleware: shared },
      ]),
      ...(platform.name === 'Fastify'
        ? [{ name: 'a hook with a callback', prepare: addHook }]
        : []),
    ];

    it.each(cases)(
      'get their own tenant, beside $name',
      async ({ imports = [], prepare, middleware }) => {
        @Module({
          imports: [
            ...imports,
            TenantModule.forRoot({
              strategy: 'header',
              store: async (tenantId) => (await random(), { tenantId }),
              cache: false,
            }),
          ],
          controllers: [Routes],
          providers: [Reader],
        })
        class AppModule implements NestModule {
          configure(consumer: MiddlewareConsumer) {
            if (middleware) consumer.apply(middleware).forRoutes('{*path}');
          }
        }
        const { app } = await serve(AppModule as Type, platform, prepare);
        const asked = await expectNoTenantLeak(app, {
          tenants,
          requests,
          paths: ['/whoami', '/maybe'],
        });
        expect(asked).toBe(requests);
      },
    );
  });
}

function addHook(app: INestApplication): void {
  const middleware = sharedConnectionMiddleware();
  const fastify = app.getHttpAdapter().getInstance() as { addHook(...hook: unknown[]): void };
  fastify.addHook('preHandler', (req: unknown, reply: unknown, done: () => void) =>
    middleware(req, reply, done),
  );
}
