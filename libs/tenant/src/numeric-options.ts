import { TenantOptionError } from './tenant.errors.js';

/**
 * Checks an option that counts something.
 * @param hint added to the error
 * @throws TenantOptionError
 */
export function requireInteger(option: string, value: unknown, least: number, hint = ''): void {
  if (Number.isSafeInteger(value) && (value as number) >= least) return;
  const error = `${option} is ${String(value)}. Pass a whole number of ${least} or more. ${hint}`;
  throw new TenantOptionError(error.trim());
}

/**
 * Checks a duration. Infinity is allowed.
 * @throws TenantOptionError
 */
export function requireMilliseconds(option: string, value: unknown): void {
  if (typeof value === 'number' && value >= 0) return;
  throw new TenantOptionError(
    `${option} is ${String(value)}. Pass a number of milliseconds, 0 or more.`,
  );
}
