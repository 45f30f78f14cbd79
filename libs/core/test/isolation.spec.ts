import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  type INestApplication,
  Injectable,
  Module,
  Param,
  Post,
} from '@nestjs/common';
import { ContextModule, Ctx, defineHttpContextDecorator, RequestContext } from '@fledge/core';
import { ClsModule } from 'nestjs-cls';
import { Agent, request } from 'node:http';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';

afterEach(closeAll);

const pause = (max: number) => new Promise((resolve) => setTimeout(resolve, Math.random() * max));

const LoadUser = defineHttpContextDecorator({
  key: 'user',
  resolve: async (ctx) => {
    await pause(3);
    return ctx.headers['x-user'];
  },
});

@Injectable()
class Reader {
  constructor(private readonly ctx: RequestContext) {}

  async user(): Promise<unknown> {
    await pause(3);
    return this.ctx.get('user');
  }
}

@Controller()
class EchoController {
  constructor(
    private readonly reader: Reader,
    private readonly current: RequestContext,
  ) {}

  @LoadUser
  @Get('echo/:id')
  async echo(@Ctx() ctx: RequestContext, @Param('id') id: string) {
    const first = await this.reader.user();
    await pause(3);
    return {
      id,
      first,
      second: await this.reader.user(),
      params: this.current.params,
      own: ctx.get('user'),
    };
  }

  @LoadUser
  @Post('echo/:id')
  async body(@Param('id') id: string) {
    return { id, user: await this.reader.user(), body: this.current.body };
  }
}

@Module({ imports: [ContextModule], controllers: [EchoController], providers: [Reader] })
class AppModule {}

@Module({
  imports: [ClsModule.forRoot({ guard: { mount: true } }), ContextModule],
  controllers: [EchoController],
  providers: [Reader],
})
class ClsGuardModule {}

/** A request over a given agent; the body goes out in pieces, so that it arrives after its headers. */
function send(
  url: string,
  agent: Agent,
  user: string,
  pieces?: readonly string[],
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      agent,
      method: pieces ? 'POST' : 'GET',
      headers: { 'x-user': user, 'content-type': 'application/json' },
    });
    outgoing.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve(JSON.parse(text) as Record<string, unknown>));
    });
    void (async () => {
      for (const piece of pieces ?? []) {
        outgoing.write(piece);
        await pause(6);
      }
      outgoing.end();
    })();
  });
}

/** Sees what is active before our middleware: on a kept connection, nothing may be left over. */
function probe(app: INestApplication, leftovers: string[]): void {
  const ctx = app.get(RequestContext);
  app.use((_: unknown, __: unknown, next: () => void) => {
    try {
      leftovers.push(`user ${String(ctx.get('user'))}`);
    } catch {
      // Nothing active: as it should be.
    }
    next();
  });
}

describe.each(platforms)('Requests on $name', (platform) => {
  it.each([
    ['alone', AppModule],
    ["with nestjs-cls' guard", ClsGuardModule],
  ])('keep their context on kept connections, interleaved, %s', async (_, module) => {
    const leftovers: string[] = [];
    const { url } = await serve(module, platform, (app) => probe(app, leftovers));
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (__, i) => {
        await pause(50);
        return send(`${url}/echo/${i}`, agent, `user-${i}`);
      }),
    );
    agent.destroy();
    expect(answers).toEqual(
      answers.map((__, i) => ({
        id: `${i}`,
        first: `user-${i}`,
        second: `user-${i}`,
        own: `user-${i}`,
        params: { id: `${i}` },
      })),
    );
    expect(leftovers).toEqual([]);
  });

  it('keep their context when the body arrives late', async () => {
    const { url } = await serve(AppModule, platform);
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (__, i) =>
        send(`${url}/echo/${i}`, agent, `user-${i}`, ['{"n"', ':', `${i}`, '}']),
      ),
    );
    agent.destroy();
    expect(answers).toEqual(
      answers.map((__, i) => ({ id: `${i}`, user: `user-${i}`, body: { n: i } })),
    );
  });

  it('of two applications in one process share nothing', async () => {
    const greeting = (text: string) => {
      @Controller()
      class HelloController {
        constructor(private readonly ctx: RequestContext) {}

        @Get('hello')
        hello() {
          return { greeting: this.ctx.get('greeting') };
        }
      }
      const Greet = defineHttpContextDecorator({ key: 'greeting', resolve: () => text });
      @Module({
        imports: [ContextModule.forRoot({ contributors: [Greet] })],
        controllers: [HelloController],
      })
      class GreetingModule {}
      return GreetingModule;
    };
    const agent = new Agent({ keepAlive: true });
    const one = await serve(greeting('one'), platform);
    const two = await serve(greeting('two'), platform);
    for (let i = 0; i < 3; i += 1) {
      expect(await send(`${one.url}/hello`, agent, '')).toEqual({ greeting: 'one' });
      expect(await send(`${two.url}/hello`, agent, '')).toEqual({ greeting: 'two' });
    }
    agent.destroy();
  });
});
