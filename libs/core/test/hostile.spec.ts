import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  HttpException,
  Injectable,
  type MiddlewareConsumer,
  Module,
  Post,
} from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import { ContextModule, Ctx, defineHttpContextDecorator, RequestContext } from '@fledge/core';
import { once } from 'node:events';
import { connect } from 'node:net';
import { call, closeAll, platforms, post, serve } from '../../../test/support/platforms.js';

afterEach(closeAll);

const faults: unknown[] = [];
beforeEach(() => void faults.splice(0));

/** As an application's error log would: every failed request is described from the context. */
@Injectable()
@Catch()
class LoggingFilter implements ExceptionFilter {
  constructor(
    private readonly ctx: RequestContext,
    private readonly host: HttpAdapterHost,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    faults.push(`${this.ctx.method} ${this.ctx.url} ${String(this.ctx.get('trace'))}`);
    const status = error instanceof HttpException ? error.getStatus() : 500;
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), { status }, status);
  }
}

const LoadAll = defineHttpContextDecorator({
  key: 'all',
  resolve: ({ params, query, headers, body, url, method }) =>
    JSON.stringify([params, query, headers, body, url, method]).length,
});

@LoadAll
@Controller()
class ProbeController {
  @Get('keys/:key')
  key(@Ctx() ctx: RequestContext) {
    const key = ctx.params['key'] ?? '';
    return { value: ctx.get(key) ?? null };
  }

  @Post('echo')
  echo(@Ctx() ctx: RequestContext) {
    return { body: ctx.body };
  }
}

@Module({
  imports: [ContextModule],
  controllers: [ProbeController],
  providers: [{ provide: APP_FILTER, useClass: LoggingFilter }],
})
class AppModule {
  constructor(private readonly ctx: RequestContext) {}

  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply((_: unknown, __: unknown, next: () => void) => {
        this.ctx.set('trace', 't1');
        next();
      })
      .forRoutes('{*path}');
  }
}

/** Sends bytes as they are, and gives the answer's first line. */
async function raw(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(text);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString('latin1').split('\r\n')[0] ?? '';
}

describe.each(platforms)('Hostile requests on $name', (platform) => {
  it.each(['__proto__', 'constructor', 'toString', 'body', 'headers', 'socket', 'raw', 'values'])(
    'find nothing under the key %s',
    async (key) => {
      const { url } = await serve(AppModule, platform);
      expect(await call(`${url}/keys/${key}`)).toEqual({ status: 200, body: { value: null } });
    },
  );

  it('cannot make themselves a user', async () => {
    const { url } = await serve(AppModule, platform);
    const init = { headers: { user: 'root', 'x-user': 'root' } };
    expect((await call(`${url}/keys/user?user=root&raw[user]=root`, init)).body).toEqual({
      value: null,
    });
  });

  it('keep their bodies to themselves', async () => {
    const { url } = await serve(AppModule, platform);
    const body = { user: 'root', values: { user: 'root' }, raw: { user: 'root' } };
    expect(await call(`${url}/echo`, post(body))).toEqual({ status: 201, body: { body } });
    expect((await call(`${url}/keys/user`)).body).toEqual({ value: null });
  });

  it('are described by the context even when they fail before any guard', async () => {
    const { url } = await serve(AppModule, platform);
    expect((await call(`${url}/nowhere?x=1`)).status).toBe(404);
    expect(faults).toEqual(['GET /nowhere?x=1 t1']);
  });

  it.each([
    ['a broken percent escape', 'GET /keys/%E0%A4%A HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['an absolute target', 'GET http://other/keys/a HTTP/1.1\r\nHost: x\r\n\r\n', 200],
    ['a target of slashes', 'GET //// HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['a target with a star', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 404],
  ])('with %s are no fault of the server', async (_, text, status) => {
    const { url } = await serve(AppModule, platform);
    expect(await raw(url, text)).toContain(` ${status} `);
  });
});

describe.each(platforms)('A malformed body on $name', (platform) => {
  it('is a 400', async () => {
    @Module({ imports: [ContextModule], controllers: [ProbeController] })
    class PlainModule {}

    const { url } = await serve(PlainModule, platform);
    const init = { ...post({}), body: '{"a":' };
    expect((await call(`${url}/echo`, init)).status).toBe(400);
  });
});
