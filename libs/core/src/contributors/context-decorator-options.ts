import { InvalidContextDecoratorError } from '../errors.js';
import { isObject } from '@fledge-internal/options';

/**
 * Rejects invalid options of a context decorator. Types do not protect JavaScript applications, or
 * `deps` with a circular import.
 * @throws InvalidContextDecoratorError
 */
export function refuseInvalid(given: unknown): void {
  if (!isObject(given))
    throw new InvalidContextDecoratorError(undefined, 'the options', 'an object');
  const { key, resolve, deps, dependsOn, optional, onError } = given;
  const fail = (option: string, expected: string): never => {
    throw new InvalidContextDecoratorError(key, option, expected);
  };
  if (!isKey(key)) fail('key', "text, such as 'user'");
  if (typeof resolve !== 'function') fail('resolve', 'a function (ctx, deps) => value');
  if (deps !== undefined && !isObject(deps))
    fail('deps', 'an object of tokens, such as { users: UsersService }');
  for (const [name, token] of Object.entries(deps ?? {})) {
    if (token === undefined || token === null)
      fail(`deps.${name}`, 'a token; a circular import leaves it undefined');
  }
  if (dependsOn !== undefined && !(Array.isArray(dependsOn) && dependsOn.every(isKey))) {
    fail('dependsOn', "a list of keys, such as ['tenant']");
  }
  if (optional !== undefined && typeof optional !== 'boolean') fail('optional', 'true or false');
  if (onError !== undefined && typeof onError !== 'function')
    fail('onError', 'a function (error, ctx) => value');
  const unknown = Object.keys(given).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) fail(unknown, `one of ${OPTIONS.join(', ')}`);
}

const OPTIONS = ['key', 'resolve', 'deps', 'dependsOn', 'optional', 'onError'];

function isKey(given: unknown): given is string {
  return typeof given === 'string' && given !== '';
}
