import { randomUUID } from 'node:crypto';
import type { TenantDirectory } from '../directory/tenant-directory.js';
import type { ResolvedIdentifierRule } from '../identify/identifier.js';
import type { Tenancy } from '../scope/tenancy.js';
import type { TenantContext } from '../tenant-context.js';
import { TenantOptionError } from '../tenant.errors.js';
import { kindOf } from '../value-kind.js';
import type { TenantChange } from './change-tenant.js';
import { describeError } from './error-facts.js';
import { requireLastingSessions, SharedLedgerSession } from './ledger-session.js';
import type { ReadReports, ReadRun } from './lifecycle-option-tables.js';
import type {
  TenantLifecycleOptions,
  TenantRunReport,
  TenantStepsOptions,
} from './lifecycle.options.js';
import { requireListed, selectedTenants } from './selected-tenants.js';
import { resolveTarget, StepRunner } from './step-runner.js';
import { TenantLedger } from './tenant-ledger.js';
import { TenantRun } from './tenant-run.js';
import { type Migrated, listStates, type TenantState } from './tenant-status.js';

export interface LifecycleParts {
  readonly options: TenantLifecycleOptions;
  readonly identifier: ResolvedIdentifierRule;
  readonly directory: TenantDirectory;
  readonly tenancy: Tenancy;
}

/** Opens the ledger for calls, outside tenants and open transactions. */
export class LifecycleRuns {
  private checked: Promise<void> | undefined;
  /** Ids of tenants that this process is changing. */
  private readonly busy = new Set<string>();
  private readonly session: SharedLedgerSession;

  constructor(private readonly parts: LifecycleParts) {
    this.session = new SharedLedgerSession(parts.options.ledger);
  }

  /** The caller may be a request that has a tenant and an open transaction. */
  central<R>(call: string, run: () => R): Promise<Awaited<R>> {
    return this.parts.tenancy.runCentral(`TenantLifecycle.${call}`, run);
  }

  /** Creates, changes or removes one tenant. */
  changing<R>(
    call: string,
    { onLog }: Partial<ReadReports>,
    run: (change: TenantChange) => Promise<R>,
  ): Promise<R> {
    const { options, ...parts } = this.parts;
    return this.open(call, 'write', (ledger) => {
      const runner = new StepRunner(ledger, this.busy, onLog);
      return run({ ...parts, steps: options.tenant ?? {}, runner });
    });
  }

  /** Runs one step for many tenants. */
  running(
    step: string,
    options: ReadRun,
    work: (run: TenantRun) => Promise<void>,
  ): Promise<TenantRunReport> {
    const { directory, tenancy } = this.parts;
    const access = options.dryRun ? 'read' : 'write';
    return this.open(step, access, async (ledger) => {
      const entries = new Map((await ledger.entries(step)).map((entry) => [entry.tenant, entry]));
      const runner = new StepRunner(ledger, this.busy, options.onLog);
      const { lost } = ledger.session;
      const run = new TenantRun({ step, options, runner, tenancy, entries, lost, directory });
      await work(run);
      return run.report();
    });
  }

  /** @param pending if true, reads the pending migrations of every served tenant */
  async states(names: readonly string[] | undefined, pending: boolean): Promise<TenantState[]> {
    const { options, directory } = this.parts;
    const { central, tenant } = options;
    const selection = { tenants: names, skip: [], canary: [] };
    const all = await this.central('status', () => directory.everyone());
    requireListed(all, selection);
    const selected = selectedTenants(all, selection);
    const states = await this.open('status', 'read', async (ledger) =>
      listStates({
        tenants: selected,
        entries: await ledger.entries(),
        central: await migratedBy(central),
        tenant: await migratedBy(tenant),
      }),
    );
    const ask = tenant?.pending;
    if (!pending || ask === undefined) return states;
    const contexts = new Map<string | null, TenantContext>(
      selected
        .filter(({ status, fault }) => status !== 'provisioning' && !fault)
        .map((known) => [known.tenantId, known.contextFor('run')]),
    );
    const withPending: TenantState[] = [];
    for (const state of states) {
      const context = contexts.get(state.tenant);
      const found = context && (await this.pendingOf(context, ask));
      withPending.push({ ...state, ...found });
    }
    return withPending;
  }

  /** An error of one tenant must not hide the states of the others. */
  private async pendingOf(
    tenant: TenantContext,
    ask: NonNullable<TenantStepsOptions['pending']>,
  ): Promise<Pick<TenantState, 'pending' | 'pendingError'>> {
    let found: unknown;
    try {
      found = await this.parts.tenancy.run(tenant, () => ask(tenant));
    } catch (error) {
      return { pendingError: describeError(error).message };
    }
    return { pending: requireNames(found, tenant) };
  }

  /**
   * The ledger is open until the function ends.
   * @param access `read` works without the table, and does not create the table
   * @throws TenantLedgerPooledError
   */
  private open<R>(
    call: string,
    access: 'read' | 'write',
    run: (ledger: TenantLedger) => Promise<R>,
  ): Promise<Awaited<R>> {
    return this.central(call, async () => {
      await this.checkConnection();
      return this.session.use(async (session) => {
        const ledger = await TenantLedger.of(session, randomUUID());
        if (access === 'write') await ledger.prepare();
        return run(ledger);
      });
    });
  }

  /** Checked once, because the connection stays the same. After a failure, checked again. */
  private checkConnection(): Promise<void> {
    this.checked ??= requireLastingSessions(this.parts.options.ledger).catch((error: unknown) => {
      this.checked = undefined;
      throw error;
    });
    return this.checked;
  }
}

async function migratedBy(
  part: TenantLifecycleOptions['central'] | TenantLifecycleOptions['tenant'],
): Promise<Migrated> {
  return part?.migrate === undefined ? undefined : { target: await resolveTarget(part.target) };
}

/** @throws TenantOptionError. Without a list, the tenant would count as current */
function requireNames(found: unknown, { tenantId }: TenantContext): readonly string[] {
  if (Array.isArray(found)) return found as string[];
  throw new TenantOptionError(
    `The option \`tenant.pending\` returned ${kindOf(found)} for the tenant "${tenantId}", but must ` +
      'return a list of names.',
  );
}
