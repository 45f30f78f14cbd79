import { filledText, kind, oneOf, Place } from '@fledge-internal/options';
import { TenantOptionError } from './tenant.errors.js';

/**
 * @param call the call that receives the options: `TenantModule.forRoot`
 * @param of a provider's name, if messages must contain the provider of the call
 */
export function placeOf(call: string, of?: string): Place {
  const which = of === undefined ? '' : ` of ${of}`;
  return Place.ofCall((message) => new TenantOptionError(message), call, which);
}

export const filledName = filledText('a name that is not empty');
export const routeMode = oneOf('tenant', 'universal', 'central');
export const abortSignal = kind<AbortSignal>(
  'an AbortSignal',
  (value) => value instanceof AbortSignal,
);

/** @throws TenantOptionError if the value is not a list or is empty */
export function requireTables(tables: unknown, call: string): void {
  if (Array.isArray(tables) && tables.length > 0) return;
  throw new TenantOptionError(`${call}() requires a list of tables: ${call}(['note', 'invoice']).`);
}

/** @throws the error of the place, if the value is a class, which is neither called nor created */
export function refuseClass(value: unknown, place: Place, must: string): void {
  if (typeof value !== 'function' || !isClass(value)) return;
  throw place.error(`is the class ${value.name}, but must be ${must}`);
}

function isClass(value: Function): boolean {
  return /^class[\s{]/.test(Function.prototype.toString.call(value));
}
