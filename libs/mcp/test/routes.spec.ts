import { CallerHeaders, CallerTenants } from '@fledge/core/packages';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  All,
  Controller,
  Delete,
  Get,
  Head,
  type INestApplication,
  Module,
  Param,
  Patch,
  Post,
  Put,
  Render,
  RequestMethod,
  Sse,
  Version,
  VERSION_NEUTRAL,
  type VersioningOptions,
  VersioningType,
} from '@nestjs/common';
import { DiscoveryModule, NestFactory, RouterModule } from '@nestjs/core';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import type { Route } from '../src/publish/routes/route.js';
import { HostApplication } from '../src/publish/routes/host-application.js';
import { RouteExplorer } from '../src/publish/routes/route-explorer.js';
import { NotARouteError } from '../src/mcp.errors.js';
import { platforms } from '../../../test/support/platforms.js';

/** Every handler answers with its own label, so that a path is right when it leads to its own. */
abstract class BaseController {
  @Get('inherited/:id') inherited(@Param('id') _id: string) {
    return { label: `${this.constructor.name}.inherited` };
  }
  @Get('overridden') overridden() {
    return { label: 'BaseController.overridden' };
  }
}

@Controller('tasks')
class TasksController extends BaseController {
  @Get() list() {
    return { label: 'TasksController.list' };
  }
  @Post() create() {
    return { label: 'TasksController.create' };
  }
  @Put(':id') replace(@Param('id') _id: string) {
    return { label: 'TasksController.replace' };
  }
  @Patch(':id/parts/:part') part() {
    return { label: 'TasksController.part' };
  }
  @Delete([':id', 'by-id/:id']) remove() {
    return { label: 'TasksController.remove' };
  }
  @Get('files/*') file() {
    return { label: 'TasksController.file' };
  }
  @Get('overridden') override overridden() {
    return { label: 'TasksController.overridden' };
  }
  @All('any') any() {
    return {};
  }
  @Head('head') head() {
    return {};
  }
  @Sse('events') events() {
    return undefined as never;
  }
  noRoute() {}
}

@Controller({ path: ['first', 'second'], version: '2' })
class ManyController {
  @Get('v2') two() {
    return { label: 'ManyController.two' };
  }
  @Version(['3', '4']) @Get('v34') threeAndFour() {
    return { label: 'ManyController.threeAndFour' };
  }
  @Version(VERSION_NEUTRAL) @Get('neutral') neutral() {
    return { label: 'ManyController.neutral' };
  }
  @Version([VERSION_NEUTRAL, '5']) @Get('both') both() {
    return { label: 'ManyController.both' };
  }
}

@Controller({ path: 'same', version: '1' })
class SameOneController {
  @Get() one() {
    return { label: 'SameOneController.one' };
  }
}

@Controller({ path: 'same', version: '2' })
class SameTwoController {
  @Get() two() {
    return { label: 'SameTwoController.two' };
  }
}

@Controller('health')
class HealthController {
  @Get() health() {
    return { label: 'HealthController.health' };
  }
}

@Controller('reports')
class ReportsController {
  @Get(':year') report() {
    return { label: 'ReportsController.report' };
  }
}

@Controller('odd')
class NoRoute {
  @McpTool({ description: 'x' })
  method() {}
}

@Controller('odd')
class AllRoute {
  @All()
  @McpTool({ description: 'x' })
  method() {}
}

@Controller('odd')
class SseRoute {
  @Sse()
  @McpTool({ description: 'x' })
  method() {
    return undefined as never;
  }
}

@Controller('odd')
class RenderRoute {
  @Get()
  @Render('page')
  @McpTool({ description: 'x' })
  method() {
    return {};
  }
}

@Controller('mixed')
class MixedController {
  @Sse('events') events() {
    return undefined as never;
  }
  @Get('page') @Render('page') page() {
    return {};
  }
  @Get() plain() {
    return {};
  }
}

@Module({ controllers: [ReportsController] })
class ReportsModule {}

@Module({
  imports: [
    DiscoveryModule,
    ReportsModule,
    RouterModule.register([{ path: 'admin', module: ReportsModule }]),
  ],
  controllers: [TasksController, ManyController, HealthController],
  providers: [CallerHeaders, CallerTenants, HostApplication, RouteExplorer],
})
class AppModule {}

/** Two controllers at one path: only a version tells them apart. */
@Module({ imports: [AppModule], controllers: [SameOneController, SameTwoController] })
class VersionedModule {}

const versionings: [string, VersioningOptions | undefined][] = [
  ['no versioning', undefined],
  ['URI versioning', { type: VersioningType.URI }],
  ['URI versioning with a default', { type: VersioningType.URI, defaultVersion: '1', prefix: 'r' }],
  ['header versioning', { type: VersioningType.HEADER, header: 'X-Version' }],
  ['media-type versioning', { type: VersioningType.MEDIA_TYPE, key: 'v=' }],
];

describe.each(platforms)('the routes of an application on $name', ({ adapter }) => {
  let app: INestApplication;
  afterEach(() => app.close());

  async function start(versioning?: VersioningOptions): Promise<string> {
    app = await NestFactory.create(versioning ? VersionedModule : AppModule, adapter(), {
      logger: false,
    });
    app.setGlobalPrefix('api', { exclude: [{ path: 'health', method: RequestMethod.GET }] });
    if (versioning) app.enableVersioning(versioning);
    await app.listen(0);
    return app.getUrl();
  }

  it.each(versionings)('are where the running router serves them: %s', async (_, versioning) => {
    const url = await start(versioning);
    const routes = app.get(RouteExplorer).explore();
    expect(routes).toHaveLength(versioning ? 16 : 14);

    for (const route of routes) {
      const answer = await fetch(url + pathTo(route), {
        method: route.verb,
        headers: versionHeaders(route),
      });
      expect([route.label, route.path, await answer.json()]).toEqual([
        route.label,
        route.path,
        { label: route.label },
      ]);
    }
  });

  it('are composed as the contract of Nest says', async () => {
    await start({ type: VersioningType.URI });
    const paths = Object.fromEntries(
      app
        .get(RouteExplorer)
        .explore()
        .map((route) => [route.label, route.path]),
    );
    expect(paths).toEqual({
      'HealthController.health': '/health',
      'ManyController.both': '/api/first/both',
      'ManyController.neutral': '/api/first/neutral',
      'ManyController.threeAndFour': '/api/v3/first/v34',
      'ManyController.two': '/api/v2/first/v2',
      'ReportsController.report': '/api/admin/reports/:year',
      'SameOneController.one': '/api/v1/same',
      'SameTwoController.two': '/api/v2/same',
      'TasksController.create': '/api/tasks',
      'TasksController.file': '/api/tasks/files/{*path}',
      'TasksController.inherited': '/api/tasks/inherited/:id',
      'TasksController.list': '/api/tasks',
      'TasksController.overridden': '/api/tasks/overridden',
      'TasksController.part': '/api/tasks/:id/parts/:part',
      'TasksController.remove': '/api/tasks/:id',
      'TasksController.replace': '/api/tasks/:id',
    });
  });

  it('send no parameter in Accept if a list of versions is neutral, because Nest 11 reads any', async () => {
    await start({ type: VersioningType.MEDIA_TYPE, key: 'v=' });
    const route = app
      .get(RouteExplorer)
      .explore()
      .find(({ label }) => label === 'ManyController.both');
    expect(route?.version).toEqual({ kind: 'media-type', parameter: undefined });
  });

  it('know their parameters', async () => {
    await start();
    const route = app
      .get(RouteExplorer)
      .explore()
      .find(({ label }) => label === 'TasksController.inherited');
    expect(route).toMatchObject({
      controller: TasksController,
      parameters: [{ index: 0, source: 'path', name: 'id', type: String, pipes: [] }],
    });
  });

  it('leave out server-sent events and rendered pages', async () => {
    @Module({
      imports: [DiscoveryModule],
      controllers: [MixedController],
      providers: [CallerHeaders, CallerTenants, HostApplication, RouteExplorer],
    })
    class MixedModule {}
    app = await NestFactory.create(MixedModule, adapter(), { logger: false });
    const routes = app.get(RouteExplorer).explore();
    expect(routes.map(({ label }) => label)).toEqual(['MixedController.plain']);
  });

  it.each<[string, new () => object]>([
    ['is not a route', NoRoute],
    ['handles the HTTP method ALL', AllRoute],
    ['streams server-sent events. Remove the decorator, or publish', SseRoute],
    ['renders a page. Remove the decorator, or publish', RenderRoute],
  ])('refuse @McpTool on what %s, naming the method', async (reason, controller) => {
    @Module({
      imports: [DiscoveryModule],
      controllers: [controller],
      providers: [CallerHeaders, CallerTenants, HostApplication, RouteExplorer],
    })
    class OddModule {}
    app = await NestFactory.create(OddModule, adapter(), { logger: false });
    const explore = () => app.get(RouteExplorer).explore();
    expect(explore).toThrow(NotARouteError);
    expect(explore).toThrow(/\.method has @McpTool but /);
    expect(explore).toThrow(reason);
  });
});

function pathTo(route: Route): string {
  return route.path.replace(/\{?[:*]\w+\}?/g, 'x');
}

function versionHeaders({ version }: Route): Record<string, string> {
  switch (version.kind) {
    case 'header':
      return { [version.header]: version.value };
    case 'media-type':
      return { accept: ['application/json', version.parameter ?? []].flat().join(';') };
    default:
      return {};
  }
}
