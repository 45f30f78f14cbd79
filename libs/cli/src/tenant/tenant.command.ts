import { EXIT, type ExitCode } from '../cli.errors.js';
import { StatusLine } from '../output/status-line.js';
import { jsonText, printable, terminalOf } from '../output/terminal.js';
import type { AppMessage, Ended, Outcome, TenantCommand } from './app-messages.js';
import { countsOf, outcomeLine, progressBar, summaryOf } from './outcome-lines.js';
import { listedLine, stateTable } from './state-table.js';
import { tenantApp } from './tenant-app.js';

export interface TenantOptions {
  readonly entry?: string;
  readonly timeout: number;
  readonly json?: true;
  readonly verbose?: true;
}

/** Runs a tenant command in the application and prints the results. */
export async function tenant(command: TenantCommand, options: TenantOptions): Promise<ExitCode> {
  const output = new Output(options);
  output.status.show('Starting the application ...');
  try {
    const ended = await tenantApp(command, {
      timeout: options.timeout,
      ...(options.entry !== undefined && { entry: options.entry }),
      onMessage: (message) => output.message(message),
      onOutput: (text) => output.verbose(text),
      onDrain: () => output.drains(),
    });
    output.end(command, ended);
    return exitCodeOf(command, ended);
  } finally {
    output.status.clear();
  }
}

/** Returns the exit code. If tenants need a migration, `status` fails only with `--check`. */
function exitCodeOf(command: TenantCommand, { ok, stopped }: Ended): ExitCode {
  if (stopped === 'signal') return EXIT.interrupted;
  return ok || (command.kind === 'status' && !command.check) ? EXIT.ok : EXIT.failed;
}

const NOT_CURRENT =
  'The central database or a tenant is not current. To migrate them: npx @fledge/cli tenant migrate\n';

class Output {
  readonly status = new StatusLine(
    (text) => process.stderr.write(text),
    terminalOf(process.stderr),
  );
  private readonly terminal = terminalOf(process.stdout);
  private readonly outcomes: Outcome[] = [];
  private draining = false;

  constructor(private readonly options: TenantOptions) {}

  message(message: AppMessage): void {
    switch (message.kind) {
      case 'outcome':
        this.outcomes.push(message.outcome);
        this.print(message.outcome, (outcome) => outcomeLine(outcome, this.terminal));
        if (!this.draining) this.status.show(progressBar(message, countsOf(this.outcomes)));
        return;
      case 'log':
        return this.verbose(`${message.tenant ?? '(central)'}: ${message.text}\n`);
      case 'tenants':
        for (const record of message.tenants) {
          this.print(record, (listed) => printable(this.terminal, `${listedLine(listed)}\n`));
        }
        return;
      case 'states':
        if (this.options.json)
          return message.tenants.forEach((state) => this.print(state, () => ''));
        return this.write(stateTable(message.tenants, this.terminal));
      default:
    }
  }

  verbose(text: string): void {
    if (!this.options.verbose) return;
    this.status.clear();
    process.stderr.write(text);
  }

  drains(): void {
    this.draining = true;
    this.status.show('Finishing the tenants in progress. Press Ctrl-C again to stop at once ...');
  }

  end(command: TenantCommand, ended: Ended): void {
    this.status.clear();
    const counts = countsOf(this.outcomes);
    const { ok, stopped } = ended;
    if (this.options.json) {
      this.print(
        { summary: { ok, ...(stopped !== undefined && { stopped }), ...counts } },
        () => '',
      );
    } else if (command.kind === 'migrate' || command.kind === 'seed' || command.kind === 'run') {
      process.stderr.write(summaryOf(counts, ended));
    } else if (command.kind === 'status' && !ok) {
      process.stderr.write(NOT_CURRENT);
    }
  }

  private print<T>(value: T, text: (value: T) => string): void {
    this.write(this.options.json ? jsonText(value) : text(value));
  }

  private write(text: string): void {
    if (text === '') return;
    this.status.clear();
    process.stdout.write(text);
  }
}
