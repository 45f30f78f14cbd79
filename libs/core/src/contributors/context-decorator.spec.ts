import { describe, expect, it } from '@jest/globals';
import { InvalidContextDecoratorError } from '../errors.js';
import {
  contributorsOfClass,
  contributorsOfMethod,
  defineHttpContextDecorator,
} from './context-decorator.js';

const of = (key: string) => defineHttpContextDecorator({ key, resolve: () => key });

describe('A context decorator', () => {
  it('records itself on methods and classes, read from the top down', () => {
    const [A, B, C] = [of('a'), of('b'), of('c')];

    @A
    @B
    class Marked {
      @B
      @C
      method() {
        return this;
      }

      plain() {
        return this;
      }
    }

    expect(contributorsOfClass(Marked)).toEqual([A.contributor, B.contributor]);
    expect(contributorsOfMethod(Marked.prototype.method)).toEqual([B.contributor, C.contributor]);
    expect(contributorsOfMethod(Marked.prototype.plain)).toEqual([]);
  });

  it('on a base class reaches subclasses and is not changed by theirs', () => {
    const [BaseUser, Tenant, OwnUser] = [of('user'), of('tenant'), of('user')];

    @BaseUser
    @Tenant
    class Base {}

    @OwnUser
    class Own extends Base {}

    class Heir extends Base {}

    expect(contributorsOfClass(Own)).toEqual([Tenant.contributor, OwnUser.contributor]);
    expect(contributorsOfClass(Own)[1]).toBe(OwnUser.contributor);
    expect(contributorsOfClass(Heir)).toEqual([BaseUser.contributor, Tenant.contributor]);
    expect(contributorsOfClass(Base)).toEqual([BaseUser.contributor, Tenant.contributor]);
  });

  it('has defaults for what is left out, or undefined', () => {
    const defaults = { key: 'a', deps: {}, dependsOn: [], optional: false, onError: undefined };
    expect(of('a').contributor).toMatchObject(defaults);
    const given = { dependsOn: undefined, deps: undefined, optional: undefined };
    const Undefined = defineHttpContextDecorator({ key: 'a', resolve: () => 1, ...given });
    expect(Undefined.contributor).toMatchObject(defaults);
    expect(Object.isFrozen(Undefined.contributor)).toBe(true);
  });

  it.each<[object | undefined, RegExp]>([
    [undefined, /Decorator\(\) is undefined, but must be an object with key, resolve, deps,/],
    [{ resolve: () => 1 }, /\{ key \}\) is undefined, but must be a non-empty string/],
    [{ key: '', resolve: () => 1 }, /\{ key \}\) is "", but must be a non-empty string/],
    [{ key: 'user' }, /\{ resolve \}\) for the key "user" is undefined, but must be a function/],
    [
      { key: 'user', resolve: 'x' },
      /\{ resolve \}\) for the key "user" is "x", but must be a function/,
    ],
    [{ key: 'user', resolve: () => 1, deps: [String] }, /deps \}\) .* must be an object of tokens/],
    [
      { key: 'user', resolve: () => 1, deps: { users: undefined } },
      /deps\.users .* must be an injection token/,
    ],
    [{ key: 'user', resolve: () => 1, dependsOn: 'tenant' }, /dependsOn .* must be a list of keys/],
    [{ key: 'user', resolve: () => 1, dependsOn: ['a', 1] }, /dependsOn .* must be a list of keys/],
    [{ key: 'user', resolve: () => 1, optional: 'no' }, /optional .* must be true or false/],
    [{ key: 'user', resolve: () => 1, onError: null }, /onError .* must be a function/],
    [{ key: 'user', resolve: () => 1, dependOn: [] }, /is not an option. Did you mean dependsOn\?/],
  ])('fails where it is defined: %j', (options, message) => {
    const define = () => defineHttpContextDecorator(options as never);
    expect(define).toThrow(message);
    expect(define).toThrow(InvalidContextDecoratorError);
  });
});
