import { describe, expect, it } from '@jest/globals';
import { ClsServiceManager } from 'nestjs-cls';
import { currentRequestContext } from './open-context.js';
import { RequestContexts } from './request-contexts.js';

const request = () => ({ headers: {}, method: 'GET', url: '/' });
const response = () => ({ statusCode: 200 });
const later = () => new Promise((resolve) => setTimeout(resolve, 1));

describe('RequestContexts', () => {
  it('asks openers one after the other, inside the context, before the request goes on', async () => {
    const contexts = new RequestContexts();
    const seen: unknown[] = [];
    contexts.register({
      open: async (ctx) => {
        await later();
        ctx.set('first', currentRequestContext() === ctx);
      },
    });
    contexts.register({ open: (ctx) => void seen.push(ctx.get('first')) });

    const req = request();
    await new Promise<void>((resolve) =>
      contexts.serve(req, response(), () => {
        seen.push(currentRequestContext()?.req === req);
        resolve();
      }),
    );
    expect(seen).toEqual([true, true]);
    expect(currentRequestContext()).toBeUndefined();
  });

  it('goes on at once where no opener has to wait', () => {
    const contexts = new RequestContexts();
    contexts.register({ open: () => undefined });
    let served = false;
    contexts.serve(request(), response(), () => (served = true));
    expect(served).toBe(true);
  });

  it('hands on what an opener rejects with', async () => {
    const contexts = new RequestContexts();
    contexts.register({ open: () => Promise.reject(new Error('no')) });
    const error = await new Promise((resolve) => contexts.serve(request(), response(), resolve));
    expect(error).toEqual(new Error('no'));
  });

  it('opens a context for what is no request, and enters it with an empty store', async () => {
    const contexts = new RequestContexts();
    contexts.register({ open: (ctx) => ctx.set('tenant', ctx.headers['x-tenant-id']) });
    const ctx = await contexts.open({ ...request(), headers: { 'x-tenant-id': 'acme' } });
    const cls = ClsServiceManager.getClsService();
    cls.run(() => {
      cls.set('secret', 'of another');
      contexts.run(ctx, () => {
        expect(currentRequestContext()).toBe(ctx);
        expect(currentRequestContext()?.get('tenant')).toBe('acme');
        expect(cls.get<unknown>('secret')).toBeUndefined();
      });
    });
  });

  it('enters only contexts it opened', () => {
    expect(() => new RequestContexts().run({} as never, later)).toThrow(TypeError);
  });

  it("finds the context of a request, which has the platform's own parts from then on", () => {
    const contexts = new RequestContexts();
    const raw = request();
    contexts.serve(raw, response(), () => undefined);
    const fastify = { ...request(), raw };
    const reply = response();
    const ctx = contexts.of(fastify, reply);
    expect([ctx.req, ctx.res]).toEqual([fastify, reply]);
    expect(ctx.req).toBe(fastify);
    // Node's own does not take their place again.
    expect(contexts.of(raw, response())).toBe(ctx);
    expect(ctx.req).toBe(fastify);
    expect(() => contexts.of(request(), reply)).toThrow(
      expect.objectContaining({ code: 'CORE_NO_REQUEST_CONTEXT' }),
    );
  });
});
