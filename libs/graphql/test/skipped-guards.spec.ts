// A mount as middleware runs no guards of Nest. The application is warned about its global guards.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type CanActivate, Injectable, Logger, type Provider, Scope } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ClsModule } from 'nestjs-cls';
import { GraphqlMountModule, type GraphqlMountOptions } from '@fledge/graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { query } from './support/requests.js';

afterEach(async () => {
  jest.restoreAllMocks();
  await closeAll();
});

class Denying implements CanActivate {
  canActivate = () => false;
}

@Injectable()
class JwtGuard extends Denying {}

@Injectable({ scope: Scope.REQUEST })
class RequestGuard extends Denying {}

class MainGuard extends Denying {}

describe.each(platforms)('a mount in an application with global guards on $name', (platform) => {
  const start = async (options: Partial<GraphqlMountOptions>, guards: readonly string[] = []) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const mount = GraphqlMountModule.forRoot({
      typeDefs: 'type Query { hello: String }',
      rootValue: { hello: 'world' },
      ...options,
    });
    const providers: Provider[] = [JwtGuard, RequestGuard]
      .filter(({ name }) => guards.includes(name))
      .map((useClass) => ({ provide: APP_GUARD, useClass }));
    const cls = ClsModule.forRoot({ global: true, middleware: { mount: true } });
    const imports = guards.includes('ClsModule') ? [mount, cls] : [mount];
    const { url } = await serve({ imports, providers }, platform, (app) => {
      app.setGlobalPrefix('api');
      if (guards.includes('MainGuard')) app.useGlobalGuards(new MainGuard());
    });
    const { status } = await query(`${url}/api/graphql`, '{ hello }');
    return { status, warnings: warn.mock.calls.map(([text]) => String(text)) };
  };

  const all = ['JwtGuard', 'MainGuard', 'RequestGuard'];
  const text = (advice: string) =>
    `GraphqlAdapter is mounted at /api/graphql as middleware. These global guards do not run for GraphqlAdapter: ` +
    `${all.join(', ')}. If these guards authenticate or limit requests, ${advice}.`;

  it('is reported with the guards as middleware', async () => {
    expect(await start({}, all)).toEqual({
      status: 200,
      warnings: [
        text("set mountAs: 'route', or authenticate in middleware or in a context decorator"),
      ],
    });
  });

  it('is reported with direct: true', async () => {
    expect(await start({ direct: true }, all)).toEqual({
      status: 200,
      warnings: [
        text("replace direct: true with mountAs: 'route', or authenticate in a context decorator"),
      ],
    });
  });

  it('is not reported as a route, for which guards run', async () => {
    expect(await start({ mountAs: 'route' }, all)).toEqual({ status: 403, warnings: [] });
  });

  it('is not reported without guards of the application', async () => {
    expect(await start({})).toEqual({ status: 200, warnings: [] });
    expect(await start({}, ['ClsModule'])).toEqual({ status: 200, warnings: [] });
  });
});
