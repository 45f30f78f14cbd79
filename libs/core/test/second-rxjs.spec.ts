// npm easily installs a second copy of RxJS. Its operators end the Observables of Nest's copy.
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Injectable, Module } from '@nestjs/common';
import { ContextModule, RequestContext } from '@fledge/core';
import { finalize, interval, NEVER, of, Subject } from 'rxjs';
import { call, closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';

afterEach(closeAll);

let other: typeof import('rxjs');
beforeAll(async () => {
  const bundle = '../../../node_modules/rxjs/dist/bundles/rxjs.umd.js';
  ({ default: other } = (await import(bundle)) as { default: typeof other });
});

let ended = 0;
const answers = new Subject<number>();

@Injectable()
class Reader {
  constructor(private readonly ctx: RequestContext) {}

  get user() {
    return this.ctx.headers['x-user'];
  }
}

@Controller()
class Routes {
  constructor(private readonly reader: Reader) {}

  @Get('taken')
  taken() {
    return interval(1).pipe(
      finalize(() => (ended += 1)),
      other.take(2),
      other.toArray(),
    );
  }

  @Get('at-once')
  atOnce() {
    return of(1, 2, 3).pipe(
      finalize(() => (ended += 1)),
      other.take(2),
      other.toArray(),
    );
  }

  @Get('late')
  late() {
    return NEVER.pipe(
      finalize(() => (ended += 1)),
      other.timeout({ first: 1, with: () => other.of(['late']) }),
    );
  }

  @Get('shared')
  shared() {
    return answers.pipe(
      finalize(() => (ended += 1)),
      other.take(1),
      other.map(() => [this.reader.user]),
    );
  }
}

@Module({ imports: [ContextModule], controllers: [Routes], providers: [Reader] })
class AppModule {}

describe.each(platforms)('Operators of a second copy of RxJS on $name', (platform) => {
  it.each([
    ['taken', [0, 1]],
    ['at-once', [1, 2]],
    ['late', ['late']],
  ])('end the Observable of the handler /%s', async (path, body) => {
    expect(other.Subscriber).not.toBe((await import('rxjs')).Subscriber);
    ended = 0;
    const { url } = await serve(AppModule, platform);
    expect(await call(`${url}/${path}`)).toEqual({ status: 200, body });
    expect(ended).toBe(1);
  });

  it('run in the context of their request', async () => {
    const { url } = await serve(AppModule, platform);
    const ask = (user: string) => call(`${url}/shared`, { headers: { 'x-user': user } });
    const asked = Promise.all([ask('a'), ask('b')]);
    await until(() => answers.observers.length === 2, 'two handlers wait');
    answers.next(1);
    expect((await asked).map(({ body }) => body)).toEqual([['a'], ['b']]);
    expect(answers.observed).toBe(false);
  });
});
