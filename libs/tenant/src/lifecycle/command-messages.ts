// The messages between `fledge tenant` and the application. They are JSON over Node.js' IPC
// channel.
import type { TenantRecord } from '../tenant.options.js';
import type { TenantStatus } from '../tenant-context.js';
import type { TenantRunOptions, TenantRunReport, TenantStepOutcome } from './lifecycle.options.js';
import type { TenantState } from './tenant-status.js';

type RunOptions = Omit<TenantRunOptions, 'signal' | 'onOutcome' | 'onLog'>;

/** The command. It is in the environment variable `FLEDGE_TENANT_COMMAND`. */
export type TenantCommand =
  | { readonly kind: 'create'; readonly record: TenantRecord; readonly resume: boolean }
  | { readonly kind: 'remove'; readonly tenant: string }
  | {
      readonly kind: 'set-status';
      readonly tenant: string;
      readonly status: Exclude<TenantStatus, 'provisioning'>;
    }
  | { readonly kind: 'migrate' | 'seed'; readonly options: RunOptions }
  | { readonly kind: 'run'; readonly task: string; readonly options: RunOptions }
  | { readonly kind: 'list' }
  | { readonly kind: 'status'; readonly tenants?: readonly string[]; readonly pending: boolean };

/** Messages of the application. The last message is `ended` or `refused`. */
export type CommandMessage =
  /** The application is ready, and the command starts. */
  | { readonly kind: 'begun' }
  | {
      readonly kind: 'outcome';
      readonly outcome: SentOutcome;
      readonly finished: number;
      readonly total: number;
    }
  | { readonly kind: 'log'; readonly tenant: string | null; readonly text: string }
  | { readonly kind: 'tenants'; readonly tenants: readonly ListedTenant[] }
  | { readonly kind: 'states'; readonly tenants: readonly TenantState[] }
  | {
      readonly kind: 'ended';
      readonly ok: boolean;
      readonly stopped?: TenantRunReport['stopped'];
    }
  | { readonly kind: 'refused'; readonly code?: string; readonly message: string }
  /** `UntakenCommand` sends this message. */
  | { readonly kind: 'untaken' };

/** A tenant of the store. `invalid` is the reason why the tenant's record is invalid. */
export type ListedTenant = Pick<TenantRecord, 'tenantId' | 'identifier' | 'status'> & {
  readonly invalid?: string;
};

export type SentOutcome = Omit<TenantStepOutcome, 'error'> & {
  readonly error?: string;
  readonly code?: string;
};
