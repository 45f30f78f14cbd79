import type { TenantDirectory } from '../directory/tenant-directory.js';
import type { ResolvedIdentifierRule } from '../identify/identifier.js';
import type { Tenancy } from '../scope/tenancy.js';
import type { TenantContext } from '../tenant-context.js';
import type { TenantChange } from './create-tenant.js';
import { LedgerDoor } from './ledger-door.js';
import type { ReadReports, ReadRun } from './lifecycle-options-check.js';
import type { TenantLifecycleOptions, TenantRunReport } from './lifecycle.options.js';
import { Performer } from './performer.js';
import { requireListed, selectedTenants } from './selected-tenants.js';
import { targetOf } from './step-jobs.js';
import { StepRunner } from './step-runner.js';
import type { TenantLedger } from './tenant-ledger.js';
import { TenantRun } from './tenant-run.js';
import { type Migrated, statesOf, type TenantState } from './tenant-status.js';

export interface LifecycleParts {
  readonly options: TenantLifecycleOptions;
  readonly identifier: ResolvedIdentifierRule;
  readonly directory: TenantDirectory;
  readonly tenancy: Tenancy;
}

/** Opens the ledger for each call of `TenantLifecycle`, outside of tenants and open transactions. */
export class LifecycleRuns {
  private readonly ledger: LedgerDoor;
  /** Ids of tenants that this process works on. */
  private readonly busy = new Set<string>();

  constructor(private readonly parts: LifecycleParts) {
    this.ledger = new LedgerDoor(parts.options.ledger);
  }

  /** Runs without a tenant: the caller may be a request of one, in a transaction. */
  central<R>(call: string, run: () => R): Promise<Awaited<R>> {
    return this.parts.tenancy.runCentral(`TenantLifecycle.${call}`, run);
  }

  /** Creates or removes one tenant. */
  changing<R>(
    call: string,
    { onLog }: ReadReports,
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
    work: (run: TenantRun, performer: Performer) => Promise<void>,
  ): Promise<TenantRunReport> {
    const { directory, tenancy } = this.parts;
    const access = options.dryRun ? 'read' : 'write';
    return this.open(step, access, async (ledger) => {
      const entries = new Map((await ledger.entries(step)).map((entry) => [entry.tenant, entry]));
      const runner = new StepRunner(ledger, this.busy, options.onLog);
      const list = () => directory.everyone();
      const run = new TenantRun({ step, options, lost: ledger.session.lost, list });
      await work(run, new Performer(runner, tenancy, entries, options));
      return run.report();
    });
  }

  /** @param pending asks each tenant that is served for the migrations that it lacks */
  async states(names: readonly string[] | undefined, pending: boolean): Promise<TenantState[]> {
    const { options, directory, tenancy } = this.parts;
    const { central, tenant } = options;
    const selection = { tenants: names, skip: [], canary: [] };
    const all = await this.central('status', () => directory.everyone());
    requireListed(all, selection);
    const selected = selectedTenants(all, selection);
    const states = await this.open('status', 'read', async (ledger) =>
      statesOf({
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
      const lacks = context && (await tenancy.run(context, () => ask(context)));
      withPending.push({ ...state, ...(lacks !== undefined && { pending: lacks }) });
    }
    return withPending;
  }

  private open<R>(
    call: string,
    access: 'read' | 'write',
    run: (ledger: TenantLedger) => Promise<R>,
  ): Promise<R> {
    return this.central(call, () => this.ledger.open(access, run));
  }
}

async function migratedBy(
  part: TenantLifecycleOptions['central'] | TenantLifecycleOptions['tenant'],
): Promise<Migrated> {
  return part?.migrate === undefined ? undefined : { target: await targetOf(part.target) };
}
