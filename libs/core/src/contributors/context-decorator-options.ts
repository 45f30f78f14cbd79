import {
  callback,
  flag,
  isObject,
  kind,
  type OptionTable,
  Place,
  type ReadOptions,
  readOptions,
  rule,
} from '@fledge-internal/options';
import { InvalidContextDecoratorError } from '../errors.js';
import type { ContributorDeps, HttpContextDecoratorOptions } from './context-decorator.js';

const OPTIONS = {
  key: kind<string>("a text, such as 'user'", isKey).required,
  resolve: callback<HttpContextDecoratorOptions['resolve']>().required,
  deps: rule((given: ContributorDeps | undefined, place) => {
    if (given === undefined) return {};
    if (!isObject(given)) {
      throw place.wrong(given, 'an object of tokens, such as { users: UsersService }');
    }
    for (const [name, token] of Object.entries(given)) {
      if (token !== undefined && token !== null) continue;
      throw place
        .at(name)
        .wrong(token, 'a token. A circular import leaves a class undefined until later');
    }
    return given;
  }),
  dependsOn: kind<readonly string[]>(
    "a list of keys, such as ['tenant']",
    (value) => Array.isArray(value) && value.every(isKey),
  ).default([]),
  optional: flag.default(false),
  onError: callback<NonNullable<HttpContextDecoratorOptions['onError']>>().optional,
} satisfies OptionTable<HttpContextDecoratorOptions>;

/**
 * Checks the options of a context decorator and applies the defaults. Types do not protect JavaScript applications, or
 * `deps` with a circular import.
 * @throws InvalidContextDecoratorError
 */
export function readDecoratorOptions(given: unknown): ReadOptions<typeof OPTIONS> {
  const key = isObject(given) && isKey(given['key']) ? ` of ${given['key']}` : '';
  const toError = (message: string) => new InvalidContextDecoratorError(message);
  return readOptions(given, OPTIONS, Place.ofCall(toError, 'defineHttpContextDecorator', key));
}

function isKey(given: unknown): given is string {
  return typeof given === 'string' && given !== '';
}
