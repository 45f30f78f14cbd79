import { type Command, Option } from 'commander';
import { entryOption, timeoutOption } from '../shared-options.js';
import { canaryOf, count, names, selectedNames, tenantData } from './tenant-option-values.js';
import type { RunOptions, TenantCommand } from './app-messages.js';
import type { TenantOptions } from './tenant.command.js';

type Declare = (usage: string, description: string) => Command;
type Perform = (command: TenantCommand, options: TenantOptions) => Promise<void>;

/** Adds the `fledge tenant` commands. */
export function addTenant(program: Command, exit: (code: number) => void): void {
  const tenant = program
    .command('tenant')
    .description(
      'Creates, migrates and lists the tenants of an application with TenantLifecycleModule',
    )
    .addHelpText('after', EXIT_CODES);
  const declare: Declare = (usage, description) =>
    tenant
      .command(usage)
      .description(description)
      .addOption(entryOption())
      .option('--json', 'print one JSON object per line, and a summary as the last line')
      .option('--verbose', 'show what the application prints')
      .addOption(timeoutOption('maximum seconds for the application to start'))
      .addHelpText('after', EXIT_CODES);
  const perform: Perform = async (command, options) => {
    const { tenant: run } = await import('./tenant.command.js');
    exit(await run(command, options));
  };
  addRuns(declare, perform);
  addChanges(declare, perform);
  addViews(declare, perform);
}

/** Adds the commands that run for many tenants. */
function addRuns(declare: Declare, perform: Perform): void {
  running(
    declare('migrate', 'Migrates the central database, a canary tenant, then the other tenants'),
  ).action((options: ManyOptions) =>
    perform({ kind: 'migrate', options: runOptionsOf(options) }, options),
  );
  running(declare('seed', 'Seeds the tenants that were not seeded yet')).action(
    (options: ManyOptions) => perform({ kind: 'seed', options: runOptionsOf(options) }, options),
  );
  running(declare('run <task>', 'Runs a task of the application for each tenant'))
    .option('--unfinished', 'skip tenants whose last run of the task succeeded')
    .action((task: string, options: ManyOptions) =>
      perform({ kind: 'run', task, options: runOptionsOf(options) }, options),
    );
}

/** Adds the commands that change one tenant. */
function addChanges(declare: Declare, perform: Perform): void {
  declare('create <id>', 'Creates a tenant: provision, migrate, seed')
    .option('--identifier <name>', 'name of the tenant in requests (default: the id)')
    .addOption(
      new Option('--data <json>', 'data of the tenant, as a JSON object').argParser(tenantData),
    )
    .option('--resume', 'continue a creation that failed or was interrupted')
    .action((id: string, options: CreateOptions) => {
      const { identifier, data, resume = false } = options;
      const record = { tenantId: id, ...(identifier && { identifier }), ...(data && { data }) };
      return perform({ kind: 'create', record, resume }, options);
    });
  const statuses = [
    ['suspend', 'suspended', 'Rejects the requests of a tenant with 403'],
    ['activate', 'active', 'Serves a suspended tenant again'],
  ] as const;
  for (const [name, status, description] of statuses) {
    declare(`${name} <id>`, description).action((id: string, options: TenantOptions) =>
      perform({ kind: 'set-status', tenant: id, status }, options),
    );
  }
  declare('remove <id>', 'Removes a tenant with its schema or database')
    .requiredOption('--yes', 'confirm that the data of the tenant is deleted')
    .action((id: string, options: TenantOptions) =>
      perform({ kind: 'remove', tenant: id }, options),
    );
}

/** Adds the commands that change nothing. */
function addViews(declare: Declare, perform: Perform): void {
  declare('list', 'Lists the tenants of the store').action((options: TenantOptions) =>
    perform({ kind: 'list' }, options),
  );
  declare('status', 'Prints the state of each tenant in the ledger')
    .addOption(tenantsOption())
    .option('--pending', 'check each tenant for pending migrations')
    .option('--check', 'exit with code 1 unless the central database and each tenant are current')
    .action((options: StatusOptions) => {
      const { tenants, pending = false, check = false } = options;
      return perform({ kind: 'status', ...(tenants && { tenants }), pending, check }, options);
    });
}

interface CreateOptions extends TenantOptions {
  readonly identifier?: string;
  readonly data?: object;
  readonly resume?: true;
}

interface StatusOptions extends TenantOptions {
  readonly tenants?: string[];
  readonly pending?: true;
  readonly check?: true;
}

type ManyOptions = TenantOptions &
  Pick<RunOptions, 'tenants' | 'skip' | 'concurrency' | 'canary' | 'maxFailures' | 'dryRun'> & {
    readonly wait?: true;
    readonly redo?: true;
    readonly unfinished?: true;
  };

function running(command: Command): Command {
  return command
    .addOption(tenantsOption())
    .addOption(new Option('--skip <ids>', 'tenants to skip, separated by commas').argParser(names))
    .addOption(
      new Option('--concurrency <n>', 'number of tenants at the same time (default: 4)').argParser(
        count('--concurrency'),
      ),
    )
    .addOption(
      new Option(
        '--canary <n or ids>',
        'number or ids of tenants to run first; the run stops if one of them fails (default: 1)',
      ).argParser(canaryOf),
    )
    .addOption(
      new Option('--max-failures <n>', 'stop after this many failures').argParser(
        count('--max-failures'),
      ),
    )
    .option('--wait', 'wait for tenants that another runner has locked')
    .option('--redo', 'include tenants whose step is already done')
    .option('--dry-run', 'print what would be done, and write nothing');
}

function tenantsOption(): Option {
  return new Option('--tenants <ids>', 'only these tenants, separated by commas').argParser(
    selectedNames,
  );
}

function runOptionsOf(options: ManyOptions): RunOptions {
  const { tenants, skip, concurrency, canary, maxFailures, dryRun, wait, redo, unfinished } =
    options;
  return {
    ...(tenants && { tenants }),
    ...(skip && { skip }),
    ...(concurrency !== undefined && { concurrency }),
    ...(canary !== undefined && { canary }),
    ...(maxFailures !== undefined && { maxFailures }),
    ...(dryRun && { dryRun }),
    ...(wait && { lock: 'wait' as const }),
    ...(redo && { redo: 'all' as const }),
    ...(unfinished && { redo: 'unfinished' as const }),
  };
}

const EXIT_CODES = `
Exit codes:
  0    done; also if there are no tenants
  1    a tenant failed or was locked; with --check, a tenant or the central database is not current, or
       a tenant is half created
  2    wrong usage, an unknown tenant, or a name that is taken
  3    the application could not be started, or ended during the command
  130  interrupted`;
