import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  UseGuards,
} from '@nestjs/common';
import { ContextModule, Ctx, RequestContext } from '@fledge/core';
import { ContextLoader } from '@fledge/core/loader';
import { ClsServiceManager } from 'nestjs-cls';
import { call, closeAll, platforms, serve } from '../../../test/support/platforms.js';

afterEach(closeAll);

/** The keys of each batch. */
let batches: (readonly number[])[] = [];
beforeEach(() => void (batches = []));

@Injectable()
class AuthorLoader extends ContextLoader<number, string> {
  constructor(private readonly ctx: RequestContext) {
    super({ maxBatchSize: 3 });
  }

  protected async batch(ids: readonly number[]) {
    batches.push(ids);
    // Whose request this is: each batch must run in that of its keys.
    const caller = String(this.ctx.headers['x-caller']);
    await new Promise((resolve) => setTimeout(resolve, 1));
    return ids.map((id) => (id < 0 ? new NotFoundException(`No ${id}`) : `${caller}:${id}`));
  }
}

@Injectable()
class BecomesAdmin implements CanActivate {
  constructor(private readonly authors: AuthorLoader) {}

  async canActivate(execution: ExecutionContext) {
    await this.authors.load(1);
    execution.switchToHttp().getRequest<{ user: unknown }>().user = { id: 'admin' };
    return true;
  }
}

const cls = ClsServiceManager.getClsService();

@Controller('authors')
class AuthorsController {
  constructor(private readonly authors: AuthorLoader) {}

  @Get('many')
  many() {
    return Promise.all([1, 2, 1, 3, 4].map((id) => this.authors.load(id)));
  }

  @Get('twice')
  async twice(@Ctx() ctx: RequestContext) {
    const names = () =>
      ctx.loader('names', (ids: readonly number[]) => {
        batches.push(ids);
        return Promise.resolve(ids.map((id) => `name ${id}`));
      });
    return [await names().load(1), await names().load(1), await names().load(2)];
  }

  @Get('missing')
  missing() {
    return this.authors.load(-1);
  }

  @Get('settled')
  async settled() {
    const [found, missing] = await this.authors.loadMany([1, -1]);
    return { found, missing: (missing as Error).message };
  }

  @Get('changed')
  async changed() {
    await this.authors.load(1);
    this.authors.clear(1);
    await this.authors.load(1);
    this.authors.prime(2, 'primed');
    const primed = await this.authors.load(2);
    this.authors.clearAll();
    return [primed, await this.authors.load(2)];
  }

  @Get('admin')
  @UseGuards(BecomesAdmin)
  admin() {
    return this.authors.load(1);
  }

  @Get('nested')
  async nested() {
    const outer = this.authors.load(1);
    const inner = cls.run({ ifNested: 'inherit' }, () => this.authors.load(1));
    return Promise.all([outer, inner]);
  }

  @Get('one/:id')
  one(@Param('id') id: string) {
    return this.authors.load(Number(id));
  }
}

@Module({
  imports: [ContextModule],
  controllers: [AuthorsController],
  providers: [AuthorLoader],
})
class AuthorsModule {}

describe.each(platforms)('ContextLoader on $name', (platform) => {
  const start = () => serve(AuthorsModule, platform);
  const get = async (url: string, path: string, caller = 'ann') =>
    (await call(`${url}/authors/${path}`, { headers: { 'x-caller': caller } })).body;

  it('loads what one request asks for at once, each key once, in batches of its size', async () => {
    const { url } = await start();
    expect(await get(url, 'many')).toEqual(['ann:1', 'ann:2', 'ann:1', 'ann:3', 'ann:4']);
    expect(batches).toEqual([[1, 2, 3], [4]]);
  });

  it('keeps nothing for the next request', async () => {
    const { url } = await start();
    await get(url, 'one/1');
    await get(url, 'one/1');
    expect(batches).toEqual([[1], [1]]);
  });

  it('never serves a request from the batch of another: 200 interleaved requests of 20 callers', async () => {
    const { url } = await start();
    const callers = Array.from({ length: 200 }, (_, i) => `c${i % 20}`);
    const answers = await Promise.all(callers.map((caller) => get(url, 'many', caller)));
    const wrong = answers.filter(
      (answer, i) => !(answer as string[]).every((text) => text.startsWith(`${callers[i]}:`)),
    );
    expect(wrong).toEqual([]);
    expect(batches).toHaveLength(400);
  });

  it('gives an error to the one who asked for that key', async () => {
    const { url } = await start();
    expect(await call(`${url}/authors/missing`)).toMatchObject({ status: 404 });
    expect(await get(url, 'settled')).toEqual({ found: 'ann:1', missing: 'No -1' });
  });

  it('loads again what was cleared', async () => {
    const { url } = await start();
    expect(await get(url, 'changed')).toEqual(['primed', 'ann:2']);
    expect(batches).toEqual([[1], [1], [2]]);
  });

  it('loads again once the user is known', async () => {
    const { url } = await start();
    await get(url, 'admin');
    expect(batches).toEqual([[1], [1]]);
  });

  it('keeps the loaders of a nested store apart, as of a transaction', async () => {
    const { url } = await start();
    expect(await get(url, 'nested')).toEqual(['ann:1', 'ann:1']);
    expect(batches).toEqual([[1], [1]]);
  });

  it('is made by ctx.loader() too, once for each key', async () => {
    const { url } = await start();
    expect(await get(url, 'twice')).toEqual(['name 1', 'name 1', 'name 2']);
    expect(batches).toEqual([[1], [2]]);
  });
});

describe('ContextLoader', () => {
  class Doubles extends ContextLoader<number, number> {
    protected batch(keys: readonly number[]) {
      batches.push(keys);
      return Promise.resolve(keys.map((key) => key * 2));
    }
  }

  it('keeps nothing outside of a request', async () => {
    const doubles = new Doubles();
    expect(await Promise.all([doubles.load(1), doubles.load(1)])).toEqual([2, 2]);
    expect(await doubles.loadMany([1, 2])).toEqual([2, 4]);
    expect(batches).toEqual([[1], [1], [1, 2]]);
  });

  it('refuses a cache that requests would share', () => {
    const options = { cacheMap: new Map() } as object;
    expect(() => new Doubles(options)).toThrow(/\(\{ cacheMap \}\) is not supported/);
  });

  it('names a batch of the wrong length', async () => {
    class Short extends ContextLoader<number, number> {
      protected batch() {
        return Promise.resolve([]);
      }
    }
    await expect(new Short().load(1)).rejects.toThrow(/same length/);
  });
});
