import { describe, expect, it } from '@jest/globals';
import { OpenContext, openContextOf } from './open-context.js';
import type { ContextRequest } from './platform.js';

const request = (extra: Record<string, unknown> = {}): ContextRequest => ({
  headers: {},
  method: 'GET',
  url: '/',
  ...extra,
});
const contextOf = (extra?: Record<string, unknown>, res = { statusCode: 200 }) =>
  new OpenContext(request(extra), res);

describe('RequestContext', () => {
  it('gives what was set, whatever it is', () => {
    const ctx = contextOf();
    for (const value of [0, '', false, null, { a: 1 }]) {
      ctx.set('key', value);
      expect(ctx.get('key')).toBe(value);
    }
    expect(ctx.get('other')).toBeUndefined();
  });

  it('gives req.user under "user" until something is set there', () => {
    const ctx = contextOf({ user: 'passport' });
    expect(ctx.get('user')).toBe('passport');
    ctx.set('user', undefined);
    expect(ctx.get('user')).toBeUndefined();
    ctx.set('user', null);
    expect(ctx.get('user')).toBeNull();
  });

  it('on Fastify, sees the user that middleware put on the raw request', () => {
    expect(contextOf({ raw: request({ user: 'mw' }) }).get('user')).toBe('mw');
    expect(contextOf({ user: 'hook', raw: request({ user: 'mw' }) }).get('user')).toBe('hook');
  });

  it.each(['body', 'session', 'headers', 'constructor', '__proto__'])(
    'gives nothing of the request under "%s"',
    (key) => {
      const ctx = contextOf({ body: { a: 1 }, session: { id: 1 } });
      expect(ctx.get(key)).toBeUndefined();
    },
  );

  it('require() wants a value and names the decorator that would supply it', () => {
    const ctx = contextOf();
    ctx.set('zero', 0);
    expect(ctx.require('zero')).toBe(0);
    for (const nothing of [undefined, null]) {
      ctx.set('user', nothing);
      expect(() => ctx.require('user')).toThrow(
        expect.objectContaining({
          name: 'MissingContextValueError',
          code: 'CORE_MISSING_CONTEXT_VALUE',
          message: expect.stringContaining("defineHttpContextDecorator({ key: 'user', ... })"),
        }),
      );
    }
  });

  it('has the url as sent, and empty params and query before routing', () => {
    const ctx = contextOf({ url: '/below', originalUrl: '/mount/below?a=1' });
    expect(ctx.url).toBe('/mount/below?a=1');
    expect(ctx.params).toEqual({});
    expect(ctx.query).toEqual({});
    expect(ctx.body).toBeUndefined();
  });

  it('sets the status only where one is asked for, and returns the body itself', () => {
    const res = { statusCode: 207 };
    const ctx = contextOf({}, res);
    const body = { a: 1 };
    expect(ctx.json(body)).toBe(body);
    expect(res.statusCode).toBe(207);
    expect(ctx.json(body, 418)).toBe(body);
    expect(res.statusCode).toBe(418);
    expect(ctx.created(body)).toBe(body);
    expect(res.statusCode).toBe(201);
    expect(ctx.noContent()).toBeUndefined();
    expect(res.statusCode).toBe(204);
  });
});

describe('openContextOf', () => {
  it('finds a context by the request it was opened for, and by the one around that', () => {
    const raw = request();
    const ctx = new OpenContext(raw, { statusCode: 200 });
    expect(openContextOf(raw)).toBe(ctx);
    expect(openContextOf(request({ raw }))).toBe(ctx);
    expect(openContextOf(request())).toBeUndefined();
    expect(openContextOf(request({ raw: Buffer.from('') }))).toBeUndefined();
    expect(openContextOf(undefined)).toBeUndefined();
  });
});
