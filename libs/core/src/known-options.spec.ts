import { describe, expect, it } from '@jest/globals';
import { type KnownOptions, refuseUnknownOptions } from './known-options.js';

class OptionError extends Error {}

const known: KnownOptions = {
  name: true,
  basePath: true,
  auth: { known: { type: true, validate: true } },
  cache: { known: { ttlMs: true }, or: [false] },
  servers: { known: { path: true }, isList: true },
};
const refusing = (given: unknown) => () =>
  refuseUnknownOptions(given, known, 'AnyModule.forRoot', OptionError);

describe('refuseUnknownOptions', () => {
  it.each([
    [
      { atuh: {} },
      '{ atuh }) is no option. Did you mean auth? There are name, basePath, auth, cache, servers.',
    ],
    [{ BASEPATH: '/' }, '{ BASEPATH }) is no option. Did you mean basePath?'],
    [{ path: '/' }, '{ path }) is no option. Did you mean basePath?'],
    [{ colour: 1 }, '{ colour }) is no option. There are name'],
    [{ mane: 1 }, '{ mane }) is no option. Did you mean name?'],
    [{ mode: 1 }, '{ mode }) is no option. There are name'],
    [{ x: 1 }, '{ x }) is no option. There are name'],
    [{ '': 1 }, '{  }) is no option. There are name'],
    [{ toString: 1 }, '{ toString }) is no option. There are name'],
    [
      { auth: { validat: 1 } },
      '{ auth: { validat } }) is no option. Did you mean validate? There are type, validate.',
    ],
    [{ cache: { ttl: 1 } }, '{ cache: { ttl } }) is no option. Did you mean ttlMs?'],
    [
      { servers: [{ path: '/' }, { paht: '/' }] },
      '{ servers[1]: { paht } }) is no option. Did you mean path?',
    ],
  ])('throws the error of the caller, with the nearest name, for %j', (given, message) => {
    expect(refusing(given)).toThrow(OptionError);
    expect(refusing(given)).toThrow(`AnyModule.forRoot(${message}`);
  });

  it.each([
    [{ auth: true }, '{ auth }) must be an object with type, validate.'],
    [{ auth: null }, '{ auth }) must be an object'],
    [{ auth: [] }, '{ auth }) must be an object'],
    [{ servers: {} }, '{ servers }) must be a list of objects with path.'],
    [{ servers: ['/'] }, '{ servers[0] }) must be an object with path.'],
    [{ cache: true }, '{ cache }) must be an object with ttlMs or false.'],
  ])('throws where a group is no object: %j', (given, message) => {
    expect(refusing(given)).toThrow(`AnyModule.forRoot(${message}`);
  });

  it.each([undefined, null, 'name', []])('throws where the options are no object: %j', (given) => {
    expect(refusing(given)).toThrow(
      new OptionError(
        'AnyModule.forRoot() needs an object with name, basePath, auth, cache, servers.',
      ),
    );
  });

  it('accepts each known name, undefined, and what may stand for a group', () => {
    expect(refusing({ name: { any: 1 }, auth: { type: 1 }, cache: false })).not.toThrow();
    expect(refusing({ auth: undefined, cache: undefined })).not.toThrow();
    expect(refusing({})).not.toThrow();
  });
});
