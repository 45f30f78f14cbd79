// Patterns of `exclude`: with versions in the URI, and patterns that cover no route.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, VersioningType } from '@nestjs/common';
import { McpAdapter, type McpAdapterOptions } from '@fledge/mcp';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';

@Controller({ path: 'auth', version: ['1', '2'] })
class AuthController {
  @Get('login') login() {
    return {};
  }
}

@Controller({ path: 'video', version: '1' })
class VideoController {
  @Get() list() {
    return [];
  }
}

let running: RunningApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe.each(platforms)('on $name', ({ adapter }) => {
  const start = async (mcp: Partial<McpAdapterOptions>) => {
    const warnings: string[] = [];
    const silent = () => undefined;
    running = await startApp(adapter(), {
      ...controllers(AuthController, VideoController),
      mcp: { mode: 'auto', ...mcp },
      main: (app) => {
        app.useLogger({ error: silent, log: silent, warn: (text: string) => warnings.push(text) });
        app.setGlobalPrefix('api');
        app.enableVersioning({ type: VersioningType.URI });
      },
    });
    return {
      endpoints: running.app
        .get(McpAdapter, { strict: false })
        .getEndpoints()
        .map(({ tools }) => tools),
      warnings: warnings.filter((text) => /no route matches|has no effect/.test(text)),
    };
  };

  it.each([['/auth/*'], ['/api/auth/*'], ['/v1/auth/*'], ['/api/v1/auth/*']])(
    '%s covers the routes of a version',
    async (pattern) => {
      expect(await start({ exclude: [pattern] })).toEqual({
        endpoints: [['VideoController.list']],
        warnings: [],
      });
    },
  );

  it('a pattern that covers no route logs a warning', async () => {
    const both = ['AuthController.login', 'VideoController.list'];
    expect(
      await start({
        exclude: ['/login/*', '/video'],
        endpoints: [{ path: '/first' }, { path: '/second', exclude: ['/ideo', '/auth'] }],
      }),
    ).toEqual({
      endpoints: [['AuthController.login'], []],
      warnings: [
        "McpModule.forRoot({ exclude }): no route matches '/login/*' in `exclude`. " +
          'To list the paths of the published tools, call app.get(McpAdapter).getTools().',
        "The endpoint /second: no route matches '/ideo' in `exclude`. " +
          'To list the paths of the published tools, call app.get(McpAdapter).getTools().',
      ],
    });
    await running?.close();
    expect((await start({})).endpoints).toEqual([both]);
  });

  it('a warning says that options of auto mode have no effect in explicit mode', async () => {
    const { warnings } = await start({ mode: 'explicit', include: ['GET'], exclude: ['/auth'] });
    expect(warnings).toEqual([
      "McpModule.forRoot({ include, exclude }) has no effect, because `mode` is 'explicit'. Set mode: 'auto', or " +
        "move the option to an endpoint: endpoints: [{ path: '/_mcp/messages', include: [...] }].",
    ]);
  });
});
