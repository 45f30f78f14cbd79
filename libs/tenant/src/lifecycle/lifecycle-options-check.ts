import { type KnownOptions, refuseUnknownOptions } from '@fledge/core/packages';
import { requireInteger } from '../numeric-options.js';
import { TenantOptionError } from '../tenant.errors.js';
import type {
  TenantCentralOptions,
  TenantLifecycleOptions,
  TenantRunOptions,
  TenantStepsOptions,
} from './lifecycle.options.js';

const CENTRAL: KnownOptions<TenantCentralOptions> = { migrate: true, target: true };
const STEPS: KnownOptions<TenantStepsOptions> = {
  provision: true,
  migrate: true,
  target: true,
  pending: true,
  seed: true,
  drop: true,
};
const KNOWN: KnownOptions<TenantLifecycleOptions> = {
  ledger: true,
  central: { known: CENTRAL },
  tenant: { known: STEPS },
  tasks: true,
};
const RUN: KnownOptions<TenantRunOptions> = {
  tenants: true,
  skip: true,
  concurrency: true,
  canary: true,
  maxFailures: true,
  lock: true,
  redo: true,
  dryRun: true,
  signal: true,
  onOutcome: true,
  onLog: true,
};

/**
 * Returns the options if they can be used.
 * @throws TenantOptionError
 */
export function checkedLifecycleOptions(
  options: TenantLifecycleOptions | undefined,
): TenantLifecycleOptions {
  const place = 'TenantLifecycleModule.forRoot';
  if (typeof options?.ledger?.connect !== 'function') {
    throw new TenantOptionError(
      `${place} needs ledger, the central database: forRoot({ ledger: pgLedger(pool) }).`,
    );
  }
  refuseUnknownOptions(options, KNOWN, place, TenantOptionError);
  const functions = Object.entries({ ...options.tenant, ...options.tasks });
  for (const [name, value] of [
    ...functions,
    ['central.migrate', options.central?.migrate],
  ] as const) {
    if (value === undefined || typeof value === 'function' || name === 'target') continue;
    throw new TenantOptionError(`${place}: ${name} is not a function.`);
  }
  return options;
}

/** @throws TenantOptionError */
export function checkRunOptions(options: TenantRunOptions, call: string): void {
  refuseUnknownOptions(options, RUN, `TenantLifecycle.${call}`, TenantOptionError);
  const { tenants, skip, concurrency, canary, maxFailures, lock, redo } = options;
  requireList(`${call}({ tenants })`, tenants);
  requireList(`${call}({ skip })`, skip);
  const require = (name: string, value: unknown, least: number) =>
    requireInteger(`${call}({ ${name} })`, value, least);
  if (concurrency !== undefined) require('concurrency', concurrency, 1);
  if (maxFailures !== undefined) require('maxFailures', maxFailures, 1);
  if (canary !== undefined && !Array.isArray(canary)) require('canary', canary, 0);
  requireOneOf(`${call}({ lock })`, lock, ['skip', 'wait']);
  requireOneOf(`${call}({ redo })`, redo, ['all', 'unfinished']);
}

/** JavaScript callers may pass one id. */
export function requireList(option: string, value: unknown): void {
  if (value === undefined || Array.isArray(value)) return;
  throw new TenantOptionError(
    `${option} is ${JSON.stringify(value)}, not a list. Pass ids such as ['acme'].`,
  );
}

function requireOneOf(option: string, value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value)) return;
  const list = allowed.map((it) => `'${it}'`).join(' or ');
  throw new TenantOptionError(`${option} is ${JSON.stringify(value)}. Pass ${list}.`);
}
