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
  type ReadOptions,
  readOptions,
  rule,
  texts,
} from '@fledge-internal/options';
import { abortSignal, placeOf } from '../option-rules.js';
import type {
  TenantCentralOptions,
  TenantCreateOptions,
  TenantLifecycleOptions,
  TenantRunOptions,
  TenantStatusOptions,
  TenantStepsOptions,
  TenantTarget,
  TenantTask,
} from './lifecycle.options.js';

const target = kind<TenantTarget>(
  'a string or a function',
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
    'a connection to the central database, such as pgLedger(pool)',
    // A pool of node-postgres also has connect(), but its clients return other results.
    (value) => isObject(value) && typeof value['connect'] === 'function' && !('query' in value),
  ).required,
  central: groupIfGiven<TenantCentralOptions, typeof CENTRAL>(CENTRAL),
  tenant: groupIfGiven<TenantStepsOptions, typeof STEPS>(STEPS),
  tasks: rule<TenantLifecycleOptions['tasks'], unknown>((given = {}, place) => {
    if (!isObject(given)) throw place.wrong(given, 'an object with functions');
    for (const [name, each] of Object.entries(given)) task.required.read(each, place.at(name));
    return given;
  }),
} satisfies OptionTable<TenantLifecycleOptions>;

export const REPORTS = {
  onOutcome: callback<NonNullable<TenantRunOptions['onOutcome']>>().optional,
  onLog: callback<NonNullable<TenantRunOptions['onLog']>>().optional,
} satisfies OptionTable<Pick<TenantRunOptions, 'onOutcome' | 'onLog'>>;

export const RUN = {
  tenants: texts.optional,
  skip: texts.default([]),
  concurrency: count.default(4),
  canary: rule((given: TenantRunOptions['canary'], place) =>
    Array.isArray(given)
      ? texts.required.read(given, place)
      : atLeast(0)
          .default(1)
          .read(given as number | undefined, place),
  ),
  maxFailures: count.optional,
  lock: oneOf('skip', 'wait').default('skip'),
  redo: oneOf('all', 'unfinished').optional,
  dryRun: flag.default(false),
  signal: abortSignal.optional,
  ...REPORTS,
} satisfies OptionTable<TenantRunOptions>;

export const CREATE = {
  resume: flag.default(false),
  ...REPORTS,
} satisfies OptionTable<TenantCreateOptions>;

export const STATUS = {
  tenants: texts.optional,
  pending: flag.default(false),
} satisfies OptionTable<TenantStatusOptions>;

export type ReadReports = ReadOptions<typeof REPORTS>;

export type ReadCreate = ReadOptions<typeof CREATE>;

export type ReadRun = ReadOptions<typeof RUN>;

/** @throws TenantOptionError */
export function checkedLifecycleOptions(
  options: TenantLifecycleOptions | undefined,
): TenantLifecycleOptions {
  readOptions(options ?? {}, OPTIONS, placeOf('TenantLifecycleModule.forRoot'));
  return options as TenantLifecycleOptions;
}
