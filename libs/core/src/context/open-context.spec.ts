import { describe, expect, it } from '@jest/globals';
import { CLS_REQ, ClsServiceManager, ContextClsStoreMap } from 'nestjs-cls';
import { inspect } from 'node:util';
import {
  currentContext,
  CurrentRequestContext,
  OpenContext,
  openContextOf,
  openRequestContext,
} from './open-context.js';

const cls = ClsServiceManager.getClsService();
const request = () => ({ headers: {}, method: 'GET', url: '/' });
const response = () => ({ statusCode: 200 });

/** What is true inside an opened request. */
function inside<T>(req: ReturnType<typeof request>, look: () => T): T {
  let seen: { value: T } | undefined;
  openRequestContext(new OpenContext(req, response()), () => void (seen = { value: look() }));
  return seen!.value;
}

describe('openRequestContext', () => {
  it('is over when the request is', () => {
    const req = request();
    expect(inside(req, () => currentContext()?.req)).toBe(req);
    expect(currentContext()).toBeUndefined();
    expect(cls.isActive()).toBe(false);
  });

  it('opens a store of its own inside a request dispatched by another', () => {
    const [outer, inner] = [request(), request()];
    inside(outer, () => {
      cls.set('secret', 'outer');
      expect(inside(inner, () => [currentContext()?.req, cls.get<unknown>('secret')])).toEqual([
        inner,
        undefined,
      ]);
      expect(currentContext()?.req).toBe(outer);
    });
  });

  it('uses a store that was opened for the same request', () => {
    for (const mark of [
      (req: object) => cls.set(CLS_REQ, req),
      (req: object) => ContextClsStoreMap.setByRaw(req, cls.get()),
    ]) {
      cls.run(() => {
        const req = request();
        const store = cls.get();
        mark(req);
        expect(inside(req, () => cls.get() === store && currentContext()?.req === req)).toBe(true);
      });
    }
  });

  it('is found again in an empty store made for the request', () => {
    const req = request();
    inside(req, () =>
      cls.runWith({ [CLS_REQ]: req }, () => {
        expect(currentContext()).toBe(openContextOf(req));
      }),
    );
    cls.runWith({}, () => expect(currentContext()).toBeUndefined());
  });
});

describe('The injectable context', () => {
  const ambient = new CurrentRequestContext();

  it('throws outside a request, on every use', () => {
    const uses: (() => unknown)[] = [
      () => ambient.req,
      () => ambient.body,
      () => ambient.get('user'),
      () => ambient.require('user'),
      () => ambient.set('user', 1),
      () => ambient.created({}),
      () => ambient.noContent(),
    ];
    for (const use of uses) {
      expect(use).toThrow(expect.objectContaining({ code: 'CORE_NO_REQUEST_CONTEXT' }));
    }
  });

  it('bears being looked at by Nest, loggers and await outside a request', async () => {
    for (const name of ['then', 'onModuleInit', 'onModuleDestroy', 'toJSON', 'constructor']) {
      expect(() => (ambient as unknown as Record<string, unknown>)[name]).not.toThrow();
    }
    expect(inspect(ambient)).toBe('CurrentRequestContext {}');
    expect(JSON.stringify(ambient)).toBe('{}');
    expect(await Promise.resolve(ambient)).toBe(ambient);
  });
});
