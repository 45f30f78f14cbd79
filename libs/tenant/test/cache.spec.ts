import {
  CentralRoute,
  CurrentTenant,
  type TenantContext,
  TenantModule,
  UniversalRoute,
} from '@fledge/tenant';
import { TenantCacheInterceptor } from '@fledge/tenant/cache';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CacheInterceptor, CacheKey, CacheModule } from '@nestjs/cache-manager';
import {
  Controller,
  Get,
  Injectable,
  Logger,
  Module,
  type Provider,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';

let made = 0;
const bodyOf = (tenant: TenantContext | null) => ({
  of: tenant?.tenantId ?? null,
  at: (made += 1),
});

@Controller()
class NotesController {
  @Get('notes')
  notes(@CurrentTenant() tenant: TenantContext) {
    return bodyOf(tenant);
  }

  @CacheKey('named')
  @Get('named')
  named(@CurrentTenant() tenant: TenantContext) {
    return bodyOf(tenant);
  }

  @CacheKey('named')
  @CentralRoute()
  @Get('central')
  central(@CurrentTenant() tenant: null) {
    return bodyOf(tenant);
  }

  @UniversalRoute()
  @Get('universal')
  universal(@CurrentTenant() tenant: TenantContext | null) {
    return bodyOf(tenant);
  }
}

function appOf(providers: Provider[], controllers: Type[] = [NotesController]): Type {
  @Module({
    imports: [
      TenantModule.forRoot({
        strategy: 'header',
        verify: { principal: (req) => req.headers['x-user'] },
      }),
      CacheModule.register(),
    ],
    controllers,
    providers,
  })
  class AppModule {}
  return AppModule;
}

afterEach(closeAll);

describe.each(platforms)('TenantCacheInterceptor on $name', (platform) => {
  let url: string;
  beforeEach(async () => {
    made = 0;
    const app = appOf([{ provide: APP_INTERCEPTOR, useClass: TenantCacheInterceptor }]);
    ({ url } = await serve(app, platform));
  });

  const ask = async (path: string, tenant?: string, user?: string) => {
    const response = await fetch(`${url}/${path}`, {
      headers: { ...(tenant && { 'x-tenant-id': tenant }), ...(user && { 'x-user': user }) },
    });
    return [response.headers.get('x-cache'), await response.json()] as [string | null, unknown];
  };

  it.each(['notes', 'named'])('keeps an answer of /%s for its tenant only', async (path) => {
    expect(await ask(path, 'a')).toEqual(['MISS', { of: 'a', at: 1 }]);
    expect(await ask(path, 'b')).toEqual(['MISS', { of: 'b', at: 2 }]);
    expect(await ask(path, 'a')).toEqual(['HIT', { of: 'a', at: 1 }]);
    expect(await ask(path, 'b')).toEqual(['HIT', { of: 'b', at: 2 }]);
  });

  it('shares the answer of a central route, whose key no tenant has', async () => {
    expect(await ask('named', 'a')).toEqual(['MISS', { of: 'a', at: 1 }]);
    expect(await ask('central', 'a')).toEqual(['MISS', { of: null, at: 2 }]);
    expect(await ask('central', 'b')).toEqual(['HIT', { of: null, at: 2 }]);
    expect(await ask('central')).toEqual(['HIT', { of: null, at: 2 }]);
    expect(await ask('named', 'a')).toEqual(['HIT', { of: 'a', at: 1 }]);
  });

  it('does not cache requests without a tenant', async () => {
    expect(await ask('universal')).toEqual([null, { of: null, at: 1 }]);
    expect(await ask('universal', 'a')).toEqual(['MISS', { of: 'a', at: 2 }]);
    expect(await ask('universal')).toEqual([null, { of: null, at: 3 }]);
    expect(await ask('universal', 'a')).toEqual(['HIT', { of: 'a', at: 2 }]);
  });

  it('checks the user before it returns a cached answer', async () => {
    expect(await ask('notes', 'a', 'a')).toEqual(['MISS', { of: 'a', at: 1 }]);
    expect(await ask('notes', 'a', 'b')).toEqual([
      null,
      expect.objectContaining({ code: 'TENANT_MISMATCH' }),
    ]);
  });

  it('separates tenants whose ids look like keys', async () => {
    expect(await ask('notes', 'a')).toEqual(['MISS', { of: 'a', at: 1 }]);
    const others = await Promise.all(['a.http', 'A', 'a-', 'a_'].map((id) => ask('notes', id)));
    expect(others.map(([cache]) => cache)).toEqual(['MISS', 'MISS', 'MISS', 'MISS']);
  });
});

@UseInterceptors(CacheInterceptor)
@Controller('class')
class CachedController {
  @Get()
  get() {
    return {};
  }
}

@Controller('method')
class CachedMethodController {
  @UseInterceptors(CacheInterceptor)
  @Get()
  get() {
    return {};
  }
}

@UseInterceptors(CacheInterceptor)
@Controller('central')
class CentralController {
  @CentralRoute()
  @Get()
  get() {
    return {};
  }

  helper() {
    return {};
  }
}

@UseInterceptors(TenantCacheInterceptor)
@Controller('safe')
class SafeController {
  @Get()
  get() {
    return {};
  }
}

@Injectable()
class Renamed extends CacheInterceptor {}

@Injectable()
class OwnKeys extends CacheInterceptor {
  protected override trackBy() {
    return 'own';
  }
}

describe.each(platforms)('A plain CacheInterceptor on $name', (platform) => {
  const global = (useClass: Type) => [{ provide: APP_INTERCEPTOR, useClass }];

  it.each<[string, Type, string | undefined]>([
    ['for all routes', appOf(global(CacheInterceptor)), 'a global interceptor'],
    ['for all routes by a subclass', appOf(global(Renamed)), 'a global interceptor'],
    ['of a controller', appOf([], [CachedController]), 'an interceptor of CachedController'],
    [
      'of a method',
      appOf([], [CachedMethodController]),
      'an interceptor of CachedMethodController',
    ],
    ['of central routes', appOf([], [CentralController]), undefined],
    ['with the tenant in its keys', appOf(global(TenantCacheInterceptor)), undefined],
    ['with the tenant in its keys, of a controller', appOf([], [SafeController]), undefined],
    ['with keys of the application', appOf(global(OwnKeys)), undefined],
  ])('logs a warning if it could mix up tenants: %s', async (_, module, place) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await serve(module, platform);
    const told = warn.mock.calls.map(([message]) => String(message));
    warn.mockRestore();
    const expected = place === undefined ? [] : [`CacheInterceptor (${place}) can send one tenant`];
    expect(told.filter((line) => line.includes('Cache'))).toEqual(
      expected.map((begin) => expect.stringContaining(begin)),
    );
  });

  it('logs a warning if main.ts mounts it', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await serve(appOf([]), platform, (app) =>
      app.useGlobalInterceptors(new CacheInterceptor({}, {} as never)),
    );
    const told = warn.mock.calls.map(String).filter((line) => line.includes('Cache'));
    expect(told).toEqual([expect.stringContaining('a global interceptor')]);
    warn.mockRestore();
  });
});
