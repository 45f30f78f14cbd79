// A call runs the route of its tool, or no route: with some arguments, the URL belongs to another one.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  All,
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  type INestApplication,
  type NestInterceptor,
  Param,
  type PipeTransform,
  Post,
  Req,
  Scope,
  UseGuards,
  UseInterceptors,
  Version,
  VersioningType,
} from '@nestjs/common';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { McpPrompt, McpResource, McpTool } from '@fledge/mcp';
import { platforms } from '../../../test/support/platforms.js';
import { apollo, TasksResolver } from './graphql-operations/resolvers.js';
import { type AppSetup, controllers, type RunningApp, startApp } from './support/app.js';
import { connect, type ConnectedClient, textOf } from './support/clients.js';

/** What ran of the routes that are not published. */
let ran: string[] = [];
let warnings: string[] = [];
let running: RunningApp | undefined;
let client: ConnectedClient | undefined;

beforeEach(() => {
  ran = [];
  warnings = [];
});
afterEach(async () => {
  await client?.leave();
  await running?.close();
  client = running = undefined;
});

@Injectable()
class Traced implements CanActivate, NestInterceptor, PipeTransform {
  canActivate(): boolean {
    ran.push('guard');
    return true;
  }
  intercept(_context: ExecutionContext, next: { handle(): never }) {
    ran.push('interceptor');
    return next.handle();
  }
  transform(value: unknown): unknown {
    ran.push('pipe');
    return value;
  }
}

@Controller('orders')
class OrdersController {
  @Get('export')
  @UseGuards(Traced)
  @UseInterceptors(Traced)
  export(@Param('none', Traced) _none: string) {
    ran.push('handler');
    return { secret: 'every order' };
  }

  @Get(':id')
  @McpTool({ name: 'read', description: 'Reads an order' })
  @McpResource({ uri: 'orders://{id}' })
  @McpPrompt({ name: 'review', description: 'Reviews an order' })
  read(@Param('id') id: string) {
    return `order ${id}`;
  }

  @Get(':id/files/*')
  @McpTool({ name: 'file', description: 'Reads a file' })
  file(@Param('id') id: string, @Param() params: Record<string, string | string[]>) {
    return { id, path: [params['*'] ?? params['path']].flat().join('/') };
  }
}

@Controller('orders/:id/files/private')
class PrivateFilesController {
  @All(':name')
  name() {
    ran.push('handler');
    return { secret: 'a private file' };
  }
}

@Controller({ path: 'bills', version: '1' })
class BillsController {
  @Get('all') all() {
    ran.push('handler');
    return { secret: 'version 1' };
  }
  @Version('2')
  @Get('all')
  allOfTwo() {
    ran.push('handler');
    return { secret: 'version 2' };
  }
  @Version('2')
  @Get(':id')
  @McpTool({ name: 'bill', description: 'Reads a bill' })
  read(@Param('id') id: string) {
    return { id };
  }
}

@Controller({ path: 'reports', host: 'a.example.com' })
class HostController {
  @Get(':id')
  @McpTool({ name: 'report', description: 'Reads a report' })
  read(@Param('id') id: string) {
    return { id };
  }
}

@Controller('reports')
class AnyHostController {
  @Get('latest') latest() {
    ran.push('handler');
    return { secret: 'of another host' };
  }
}

@Controller()
class PagesController {
  @Post(':page')
  @McpTool({ name: 'page', description: 'Posts to a page' })
  page(@Param('page') page: string, @Body('query') query: string) {
    return { page, query };
  }
  @Post(':folder/:page')
  @McpTool({ name: 'subpage', description: 'Posts to a page' })
  subpage(@Param('page') page: string, @Body('method') method: string) {
    return { page, method };
  }
}

const REFUSED =
  /^Tool "\w+" did not run, because the URL with these arguments matches another route\.$/;

/** Every way to spell `export` in a path, and values that only look like it. */
const SPELLINGS = [
  'export',
  'EXPORT',
  'Export',
  'export/',
  '/export',
  'export%',
  '%65xport',
  'exp%6Frt',
  'export?',
  'export#',
  'export;',
  './export',
  'export ',
  'e\u0301xport',
  '..%2Fexport',
];

describe.each(platforms)('on $name', ({ name: platform, adapter }) => {
  const start = async (setup: AppSetup, main?: (app: INestApplication) => void) => {
    const silent = () => undefined;
    running = await startApp(adapter(), {
      ...setup,
      main: (app) => {
        app.useLogger({ log: silent, error: silent, warn: (text: string) => warnings.push(text) });
        main?.(app);
      },
    });
    return (client = await connect(running.endpoint));
  };

  it.each<[name: string, main: (app: INestApplication) => void]>([
    ['without a prefix', () => undefined],
    ['below a global prefix', (app) => app.setGlobalPrefix('api')],
    [
      'with versions in the URI',
      (app) => app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' }),
    ],
    [
      'with versions in a header',
      (app) =>
        app.enableVersioning({ type: VersioningType.HEADER, header: 'v', defaultVersion: '1' }),
    ],
    [
      'with versions in the media type',
      (app) =>
        app.enableVersioning({ type: VersioningType.MEDIA_TYPE, key: 'v=', defaultVersion: '1' }),
    ],
    [
      'behind a guard of the application',
      (app) => app.useGlobalGuards({ canActivate: () => ran.push('global guard') > 0 }),
    ],
  ])('a tool does not run another route, %s', async (_name, main) => {
    const client = await start(controllers(PrivateFilesController, OrdersController), main);
    const refused = await client.call('read', { id: 'export' });
    expect(textOf(refused)).toMatch(REFUSED);
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { error: { status: 404, retryable: false } },
    });
    expect(textOf(await client.call('file', { id: '7', path: 'private/keys' }))).toMatch(REFUSED);
    expect(ran).toEqual([]);
    expect(warnings.filter((text) => text.startsWith('A call of'))).toEqual([
      'A call of "read" did not run OrdersController.read, because the URL with these arguments matches ' +
        'OrdersController.export. Change the path of one of these routes, or restrict the argument with a pattern.',
    ]);

    expect(textOf(await client.call('read', { id: '7' }))).toBe('order 7');
    const file = await client.call('file', { id: '7', path: 'private/keys/first' });
    expect(JSON.parse(textOf(file))).toEqual({ id: '7', path: 'private/keys/first' });
  });

  it.each([[false], [true]])(
    'no spelling runs another route (case-sensitive: %s)',
    async (sensitive) => {
      const client = await start(controllers(OrdersController), (app) => {
        if (platform === 'Express') {
          (app as NestExpressApplication).set('case sensitive routing', sensitive);
        }
      });
      for (const id of SPELLINGS) {
        const text = textOf(await client.call('read', { id }));
        expect([id, REFUSED.test(text) || text === `order ${id}`]).toEqual([id, true]);
      }
      expect(ran).toEqual([]);
    },
  );

  it('resources and prompts do not run another route', async () => {
    const client = await start(controllers(OrdersController));
    const text = /did not run, because the URL with these arguments matches another route/;
    await expect(client.readResource({ uri: 'orders://export' })).rejects.toThrow(text);
    await expect(client.getPrompt({ name: 'review', arguments: { id: 'export' } })).rejects.toThrow(
      text,
    );
    expect(ran).toEqual([]);
    expect(await client.readResource({ uri: 'orders://7' })).toMatchObject({
      contents: [{ text: 'order 7' }],
    });
  });

  it('a tool of one version does not run a route of another path and version', async () => {
    const client = await start(controllers(BillsController), (app) =>
      app.enableVersioning({ type: VersioningType.HEADER, header: 'v' }),
    );
    expect(textOf(await client.call('bill', { id: 'all' }))).toMatch(REFUSED);
    expect(JSON.parse(textOf(await client.call('bill', { id: '7' })))).toEqual({ id: '7' });
    expect(ran).toEqual([]);
  });

  it('a tool of a host does not run a route of another host', async () => {
    const client = await start(controllers(HostController, AnyHostController));
    expect(textOf(await client.call('report', { id: 'latest' }))).toMatch(REFUSED);
    expect(ran).toEqual([]);
  });

  it('a tool of one endpoint does not run the tool of another', async () => {
    @Controller('shop')
    class ShopController {
      @Get('stock')
      @McpTool({ name: 'stock', description: 'Stock', tags: ['staff'], scopes: ['stock'] })
      stock() {
        ran.push('handler');
        return { secret: 'stock' };
      }
      @Get(':id')
      @McpTool({ name: 'item', description: 'An item', tags: ['public'] })
      item(@Param('id') id: string) {
        return { id };
      }
    }
    const client = await start({
      controllers: [ShopController],
      mcp: {
        endpoints: [
          { path: '/_mcp/messages', tags: ['public'] },
          {
            path: '/staff',
            tags: ['staff'],
            auth: { type: 'bearer', validate: () => ({ id: 'ada', scopes: ['stock'] }) },
          },
        ],
      },
    });
    expect(textOf(await client.call('item', { id: 'stock' }))).toMatch(REFUSED);
    expect(ran).toEqual([]);
  });

  it('a controller of the request scope is no exception', async () => {
    @Controller({ path: 'scoped', scope: Scope.REQUEST })
    class ScopedController {
      @Get('export') export() {
        ran.push('handler');
        return { secret: 'scoped' };
      }
      @Get(':id')
      @McpTool({ name: 'read', description: 'Reads' })
      read(@Param('id') id: string) {
        return { id };
      }
    }
    const client = await start(controllers(ScopedController));
    expect(textOf(await client.call('read', { id: 'export' }))).toMatch(REFUSED);
    expect(JSON.parse(textOf(await client.call('read', { id: '7' })))).toEqual({ id: '7' });
    expect(ran).toEqual([]);
  });

  it('inherited handlers belong to the controller that inherits them', async () => {
    abstract class Base {
      @Get(':id')
      @McpTool({ name: 'base', description: 'Reads' })
      read(@Param('id') id: string) {
        return { controller: this.constructor.name, id };
      }
    }
    @Controller('things')
    class ThingsController extends Base {
      @Get(':kind/:id')
      @McpTool({ name: 'thing', description: 'Reads' })
      thing(@Param('kind') kind: string, @Param('id') id: string) {
        return { kind, id };
      }
      @McpTool({ name: 'own', description: 'Reads' })
      @Get(':id')
      override read(@Param('id') id: string) {
        return super.read(id);
      }
    }
    @Controller('things/hidden')
    class HiddenController extends Base {
      @McpTool({ name: 'hidden', description: 'Reads', hidden: true })
      @Get(':id')
      override read(@Param('id') id: string) {
        ran.push('handler');
        return super.read(id);
      }
    }
    const client = await start(controllers(HiddenController, ThingsController));
    expect(textOf(await client.call('thing', { kind: 'hidden', id: '7' }))).toMatch(REFUSED);
    expect(JSON.parse(textOf(await client.call('own', { id: '7' })))).toEqual({
      controller: 'ThingsController',
      id: '7',
    });
    expect(ran).toEqual([]);
  });

  it('a handler that a tracing package wrapped is still the one of the tool', async () => {
    @Controller('wrapped')
    class WrappedController {
      constructor() {
        const { read } = this;
        this.read = copyOf(read, (id: string) => read.call(this, id));
      }
      @Get(':id')
      @McpTool({ name: 'read', description: 'Reads' })
      read(@Param('id') id: string) {
        return { id };
      }
    }
    const client = await start(controllers(WrappedController));
    expect(JSON.parse(textOf(await client.call('read', { id: '7' })))).toEqual({ id: '7' });
  });

  it('a tool reaches neither the endpoint itself nor the resolvers of the application', async () => {
    const client = await start({
      controllers: [PagesController],
      imports: [apollo()],
      providers: [TasksResolver],
    });
    const query = '{ me }';
    const answer = textOf(await client.call('page', { page: 'graphql', query }));
    // On Express, Apollo's middleware comes after the routes.
    if (platform === 'Fastify') expect(answer).toMatch(REFUSED);
    else expect(JSON.parse(answer)).toEqual({ page: 'graphql', query });
    const nested = { folder: '_mcp', page: 'messages', method: 'tools/list' };
    expect(textOf(await client.call('subpage', nested))).toMatch(REFUSED);
    expect(JSON.parse(textOf(await client.call('page', { page: 'other', query })))).toEqual({
      page: 'other',
      query,
    });
  });

  it('a handler may send requests of its own to other routes', async () => {
    @Controller('gateway')
    class GatewayController {
      @Get('inner') inner() {
        return { inner: true };
      }
      @Get()
      @McpTool({ name: 'gateway', description: 'Fetches' })
      async outer(@Req() { headers }: { headers: { host: string } }) {
        return (await fetch(`http://${headers.host}/gateway/inner`)).json();
      }
    }
    const client = await start(controllers(GatewayController));
    expect(JSON.parse(textOf(await client.call('gateway')))).toEqual({ inner: true });
  });
});

@Controller()
class ShadowedController {
  @Get('lists/:id') list() {}
  @Get('lists/all')
  @McpTool({ description: 'Shadowed by a parameter' })
  all() {}

  @All('any/*') any() {}
  @Get('any/:kind/:id')
  @McpTool({ description: 'Shadowed by a wildcard' })
  kind(@Param() _ids: object) {}

  @Get('same/:name') same() {}
  @Get('same/:id')
  @McpResource({ uri: 'same://{id}' })
  sameAgain(@Param('id') _id: string) {}

  @Get('free/export') free() {}
  @Get('free/:id')
  @McpTool({ description: 'Not shadowed for other ids' })
  freeId(@Param('id') _id: string) {}

  @Post('free/:id') post() {}
  @Get('files/:name') file() {}
  @Get('files/*')
  @McpTool({ description: 'Not shadowed for paths of two segments' })
  files(@Param() _path: object) {}
}

@Controller({ path: 'versioned', version: '1' })
class FirstVersionController {
  @Get() list() {}
}

@Controller({ path: 'versioned', version: '2' })
class SecondVersionController {
  @Get() @McpTool({ description: 'Not shadowed: another version' }) list() {}
  @Get() @McpTool({ description: 'Shadowed: the same version' }) again() {}
}

@Controller({ path: 'hosted', host: 'a.example.com' })
class FirstHostController {
  @Get() list() {}
}

@Controller({ path: 'hosted', host: 'b.example.com' })
class SecondHostController {
  @Get() @McpTool({ description: 'Not shadowed: another host' }) list() {}
}

describe('on Express, where the first route wins', () => {
  it('startup warns of published routes that no request reaches', async () => {
    const silent = () => undefined;
    running = await startApp(new ExpressAdapter(), {
      ...controllers(
        ShadowedController,
        FirstVersionController,
        SecondVersionController,
        FirstHostController,
        SecondHostController,
      ),
      main: (app) => {
        app.useLogger({ log: silent, error: silent, warn: (text: string) => warnings.push(text) });
        app.setGlobalPrefix('api');
        app.enableVersioning({ type: VersioningType.HEADER, header: 'v' });
      },
    });
    const shadowed = (route: string, receiver: string, paths: string, request: string) =>
      `${route} is published, but ${receiver} (${paths}) is registered earlier and receives every ` +
      `request to ${request}, so each tool call fails. Move ${route} before ${receiver}, or give ${route} another path.`;
    expect(warnings.filter((text) => text.includes('is published, but'))).toEqual([
      shadowed(
        'ShadowedController.all',
        'ShadowedController.list',
        '/api/lists/:id',
        'GET /api/lists/all',
      ),
      shadowed(
        'ShadowedController.kind',
        'ShadowedController.any',
        '/api/any/{*path}',
        'GET /api/any/:kind/:id',
      ),
      shadowed(
        'SecondVersionController.again',
        'SecondVersionController.list',
        '/api/versioned',
        'GET /api/versioned',
      ),
      shadowed(
        'ShadowedController.sameAgain',
        'ShadowedController.same',
        '/api/same/:name',
        'GET /api/same/:id',
      ),
    ]);
  });
});

/** Copies name and metadata, as OpenTelemetry's instrumentation of Nest does. */
function copyOf<Copy extends Function>(handler: Copy, copy: Copy): Copy {
  Object.defineProperty(copy, 'name', { value: handler.name });
  for (const key of Reflect.getMetadataKeys(handler) as string[]) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), copy);
  }
  return copy;
}
