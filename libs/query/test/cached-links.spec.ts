// The Link header of cached responses. docs/nest.md lists these ways to register a cache interceptor.
import type { ParsedQuery } from '@fledge/query';
import { Paginate, type Paginator, Qs, QueryModule } from '@fledge/query/nest';
import { describe, expect, it } from '@jest/globals';
import { CacheInterceptor, CacheModule } from '@nestjs/cache-manager';
import {
  Controller,
  Get,
  type INestApplication,
  Module,
  type ModuleMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { listen, servers } from './support/servers.js';

const TASKS = { filterable: ['status'] } as const;

let calls = 0;

@Controller('tasks')
class TasksController {
  @Get()
  list(@Qs(TASKS) _query: ParsedQuery<typeof TASKS>, @Paginate() paginate: Paginator) {
    calls++;
    return paginate({ data: [{ id: 1 }], total: 50 });
  }
}

@UseInterceptors(CacheInterceptor)
@Controller('tasks')
class CachedController extends TasksController {}

@Module({
  imports: [CacheModule.register()],
  providers: [{ provide: APP_INTERCEPTOR, useClass: CacheInterceptor }],
})
class CachingModule {}

const queries = () => QueryModule.forRoot({ linkHeader: true });

interface Registration extends ModuleMetadata {
  readonly main?: (app: INestApplication) => void;
}

describe.each(servers)('the Link header of a cached page on $name', (server) => {
  it.each<[string, () => Registration]>([
    [
      'APP_INTERCEPTOR in a module after QueryModule',
      () => ({ imports: [queries(), CachingModule], controllers: [TasksController] }),
    ],
    [
      'app.useGlobalInterceptors()',
      () => ({
        imports: [CacheModule.register(), queries()],
        providers: [CacheInterceptor],
        controllers: [TasksController],
        main: (app) => app.useGlobalInterceptors(app.get(CacheInterceptor)),
      }),
    ],
    [
      '@UseInterceptors()',
      () => ({ imports: [CacheModule.register(), queries()], controllers: [CachedController] }),
    ],
  ])('is set with %s', async (_name, register) => {
    const { main, ...metadata } = register();
    const running = await listen(server, metadata, main);
    calls = 0;
    const first = await running.get('/tasks?filter=status:eq:open');
    const second = await running.get('/tasks?filter=status:eq:open');
    await running.close();
    expect(calls).toBe(1);
    expect(first.link).toContain('rel="next"');
    expect(second).toEqual(first);
  });
});
