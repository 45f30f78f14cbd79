import {
  atLeast,
  callback,
  count,
  flag,
  groupIfGiven,
  isObject,
  kind,
  oneOf,
  type OptionTable,
  readOptions,
  rule,
  texts,
} from '@fledge-internal/options';
import { abortSignal, placeOf } from '../option-rules.js';
import type { TenantCreateOptions } from './create-tenant.js';
import type {
  TenantCentralOptions,
  TenantLifecycleOptions,
  TenantRunOptions,
  TenantStatusOptions,
  TenantStepsOptions,
  TenantTarget,
  TenantTask,
} from './lifecycle.options.js';

const target = kind<TenantTarget>(
  'a text or a function',
  (value) => typeof value === 'string' || typeof value === 'function',
);
const task = callback<TenantTask>();

const CENTRAL = {
  migrate: callback<TenantCentralOptions['migrate']>().required,
  target: target.optional,
} satisfies OptionTable<TenantCentralOptions>;

const STEPS = {
  provision: task.optional,
  migrate: task.optional,
  target: target.optional,
  pending: callback<NonNullable<TenantStepsOptions['pending']>>().optional,
  seed: task.optional,
  drop: task.optional,
} satisfies OptionTable<TenantStepsOptions>;

const OPTIONS = {
  ledger: kind<TenantLifecycleOptions['ledger']>(
    'the central database, such as pgLedger(pool)',
    (value) => isObject(value) && typeof value['connect'] === 'function',
  ).required,
  central: groupIfGiven<TenantCentralOptions, typeof CENTRAL>(CENTRAL),
  tenant: groupIfGiven<TenantStepsOptions, typeof STEPS>(STEPS),
  tasks: rule<TenantLifecycleOptions['tasks'], unknown>((given = {}, place) => {
    if (!isObject(given)) throw place.wrong(given, 'an object of functions');
    for (const [name, each] of Object.entries(given)) task.required.read(each, place.at(name));
    return given;
  }),
} satisfies OptionTable<TenantLifecycleOptions>;

const REPORTS = {
  onOutcome: callback<NonNullable<TenantRunOptions['onOutcome']>>().optional,
  onLog: callback<NonNullable<TenantRunOptions['onLog']>>().optional,
} satisfies OptionTable<Pick<TenantRunOptions, 'onOutcome' | 'onLog'>>;

const RUN = {
  tenants: texts.optional,
  skip: texts.optional,
  concurrency: count.optional,
  canary: rule<TenantRunOptions['canary'], unknown>((given, place) =>
    Array.isArray(given)
      ? texts.required.read(given, place)
      : atLeast(0).optional.read(given as number, place),
  ),
  maxFailures: count.optional,
  lock: oneOf('skip', 'wait').optional,
  redo: oneOf('all', 'unfinished').optional,
  dryRun: flag.optional,
  signal: abortSignal.optional,
  ...REPORTS,
} satisfies OptionTable<TenantRunOptions>;

const CREATE = { resume: flag.optional, ...REPORTS } satisfies OptionTable<TenantCreateOptions>;

const STATUS = {
  tenants: texts.optional,
  pending: flag.optional,
} satisfies OptionTable<TenantStatusOptions>;

/**
 * Returns the options if they can be used.
 * @throws TenantOptionError
 */
export function checkedLifecycleOptions(
  options: TenantLifecycleOptions | undefined,
): TenantLifecycleOptions {
  readOptions(options ?? {}, OPTIONS, placeOf('TenantLifecycleModule.forRoot'));
  return options as TenantLifecycleOptions;
}

/** @throws TenantOptionError */
export function checkRunOptions(options: TenantRunOptions, call: string): void {
  readOptions(options, RUN, placeOf(`TenantLifecycle.${call}`));
}

/** @throws TenantOptionError */
export function checkCreateOptions(options: TenantCreateOptions): void {
  readOptions(options, CREATE, placeOf('TenantLifecycle.create'));
}

/** @throws TenantOptionError */
export function checkRemoveOptions(options: object): void {
  readOptions(options, REPORTS, placeOf('TenantLifecycle.remove'));
}

/** @throws TenantOptionError */
export function checkStatusOptions(options: TenantStatusOptions): void {
  readOptions(options, STATUS, placeOf('TenantLifecycle.status'));
}
