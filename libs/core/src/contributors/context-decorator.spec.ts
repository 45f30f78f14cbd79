import { describe, expect, it } from '@jest/globals';
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
});
