// Decorators and enhancers at places where they would check nothing.
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  applyDecorators,
  ConsoleLogger,
  Controller,
  Get,
  type ModuleMetadata,
  Post,
  UseInterceptors,
} from '@nestjs/common';
import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import {
  CentralRoute,
  SameTenant,
  TenantModule,
  TenantOptionError,
  TenantRoute,
  UniversalRoute,
} from '@fledge/tenant';
import { TenantSocketsModule, TenantSocketVerifyInterceptor } from '@fledge/tenant/websockets';
import { call, closeAll, createApp, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { type Client, kinds } from './websockets/clients.js';

const lines: string[] = [];

class Lines extends ConsoleLogger {
  override log() {}
  override warn(message: unknown) {
    lines.push(String(message));
  }
  override error(message: unknown) {
    lines.push(String(message));
  }
}

const tenants = TenantModule.forRoot({ strategy: 'header' });
const clients: Client[] = [];
const [express] = platforms;
const [ws] = kinds;

afterEach(async () => {
  lines.length = 0;
  clients.splice(0).forEach((client) => client.close());
  await closeAll();
});

const start = async (metadata: ModuleMetadata) => {
  const app = await createApp(metadata, express!.adapter());
  await app.init();
};

/** Sends a message of the tenant `acme`. */
async function send(metadata: ModuleMetadata): Promise<Client> {
  const { url } = await serve(
    metadata,
    express!,
    (app) => app.useWebSocketAdapter(ws!.adapter!(app)),
    {
      logger: new Lines(),
    },
  );
  const client = await ws!.connect(url, { headers: { 'x-tenant-id': 'acme' } });
  clients.push(client);
  client.send('x', {});
  return client;
}

describe.each(platforms)('several @SameTenant() on $name', (platform) => {
  const Both = () => applyDecorators(SameTenant('query.t'), SameTenant('query.u'));

  @SameTenant('query.t')
  class Base {}

  @Controller()
  @SameTenant('query.u')
  class Routes extends Base {
    @Get('method')
    @SameTenant('query.v')
    @SameTenant('query.w')
    method() {}

    @Get('composed')
    @applyDecorators(SameTenant('query.v'), SameTenant('query.w'))
    composed() {}
  }

  @Controller('twice')
  @SameTenant('query.t')
  @SameTenant('query.u')
  class Twice {
    @Get()
    get() {}
  }

  @Controller('both')
  @Both()
  class Composed {
    @Get()
    get() {}
  }

  it('check the paths of all', async () => {
    const { url } = await serve(
      { imports: [tenants], controllers: [Routes, Twice, Composed] },
      platform,
    );
    const statusOf = async (path: string) =>
      (await call(`${url}/${path}`, { headers: { 'x-tenant-id': 'acme' } })).status;
    for (const path of ['method', 'composed']) {
      expect(await statusOf(`${path}?t=acme&u=acme&v=acme&w=acme`)).toBe(200);
      for (const name of ['t', 'u', 'v', 'w']) {
        expect(await statusOf(`${path}?${name}=globex`)).toBe(403);
      }
    }
    for (const path of ['twice', 'both']) {
      expect(await statusOf(`${path}?t=acme&u=acme`)).toBe(200);
      expect(await statusOf(`${path}?t=globex&u=acme`)).toBe(403);
      expect(await statusOf(`${path}?t=acme&u=globex`)).toBe(403);
    }
  });
});

describe('@SameTenant()', () => {
  const Same = () => SameTenant('body.t');
  const message = (name: string) =>
    `${name} has @CentralRoute() and @SameTenant(), but a central route has no tenant to compare. ` +
    'Remove one of them, or use @UniversalRoute() instead of @CentralRoute().';

  it.each<[string, () => unknown]>([
    [
      'Routes.both',
      () => {
        class Routes {
          @CentralRoute()
          @Same()
          both() {}
        }
        return Routes;
      },
    ],
    [
      'Routes.other',
      () => {
        class Routes {
          @Same()
          @CentralRoute()
          other() {}
        }
        return Routes;
      },
    ],
    [
      'Routes',
      () => {
        @CentralRoute()
        @Same()
        class Routes {}
        return Routes;
      },
    ],
    [
      'Routes',
      () => {
        @Same()
        @CentralRoute()
        class Routes {}
        return Routes;
      },
    ],
    [
      'Routes.inner',
      () => {
        @CentralRoute()
        class Routes {
          @Same()
          inner() {}
        }
        return Routes;
      },
    ],
  ])('does not go with @CentralRoute() on %s', (name, define) => {
    expect(define).toThrow(new TenantOptionError(message(name)));
  });

  it('goes with other modes, and with central routes that do not repeat it', async () => {
    class Base {
      @Post('inherited')
      @Same()
      inherited() {}
    }

    @Controller('central')
    @CentralRoute()
    class Central extends Base {
      @Post('own')
      @TenantRoute()
      @Same()
      own() {}

      @Same()
      static other() {}

      get trap(): never {
        throw new Error('Read');
      }
    }

    @Controller('same')
    @Same()
    class Routes {
      @Post('central')
      @CentralRoute()
      central() {}

      @Post('universal')
      @UniversalRoute()
      universal() {}
    }
    await expect(start({ imports: [tenants], controllers: [Central, Routes] })).resolves.toBe(
      undefined,
    );
  });

  it('names its place if a path is missing or invalid', () => {
    expect(() => {
      class Routes {
        @SameTenant('tenantId' as string)
        get() {}
      }
      return Routes;
    }).toThrow('@SameTenant("tenantId") of Routes.get is not a path into the request.');
    expect(() => {
      @SameTenant(...([] as unknown as [string]))
      class Routes {}
      return Routes;
    }).toThrow('@SameTenant() of Routes has no path, so it would check nothing.');
  });

  @Controller()
  class Routes {
    @Post()
    @Same()
    post() {}
  }

  it('stops the start without TenantModule', async () => {
    await expect(start({ controllers: [Routes] })).rejects.toThrow(
      "@SameTenant() needs TenantModule. Add TenantModule.forRoot({ strategy: 'header' })",
    );
  });

  it('does not hide an error of TenantModule', async () => {
    const wrong = TenantModule.forRoot({ strategy: 'cookie' as never });
    await expect(start({ imports: [wrong], controllers: [Routes] })).rejects.toThrow('"cookie"');
  });

  @WebSocketGateway({ path: '/live' })
  class Gateway {
    @SubscribeMessage('x')
    @Same()
    x() {
      lines.push('handled');
    }
  }

  it.each([
    ['with', [tenants, TenantSocketsModule]],
    ['without', [tenants]],
  ])('rejects the messages of a gateway, %s TenantSocketsModule', async (_, imports) => {
    const client = await send({ imports, providers: [Gateway] });
    await until(() => client.exceptions.length === 1, 'the exception');
    expect(lines).toEqual([
      expect.stringContaining(
        '@SameTenant() of Gateway.x reads HTTP requests, but this is a message (ws). Compare the values in the handler.',
      ),
    ]);
  });
});

describe('TenantSocketVerifyInterceptor', () => {
  @UseInterceptors(TenantSocketVerifyInterceptor)
  @WebSocketGateway({ path: '/live' })
  class Gateway {}
  const providers = [Gateway];
  const verified = TenantModule.forRoot({
    strategy: 'header',
    verify: { principal: () => 'acme', required: true },
  });

  it.each<[string, ModuleMetadata]>([
    [
      "TenantSocketVerifyInterceptor needs TenantModule. Add TenantModule.forRoot({ strategy: 'header' })",
      { providers },
    ],
    [
      'TenantSocketVerifyInterceptor needs TenantSocketsModule. Add TenantSocketsModule to the imports of the root module.',
      { providers, imports: [verified] },
    ],
    [
      'TenantSocketVerifyInterceptor applies the option `verify`, but TenantModule.forRoot() has no `verify`',
      { providers, imports: [tenants, TenantSocketsModule] },
    ],
  ])('stops the start: %s', async (message, metadata) => {
    await expect(start(metadata)).rejects.toThrow(message);
  });

  it('starts with both modules and `verify`, in any order', async () => {
    await start({ providers, imports: [verified, TenantSocketsModule] });
    await start({ providers, imports: [TenantSocketsModule, verified] });
  });
});
