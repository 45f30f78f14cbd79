import { type ChildProcess, spawn } from 'node:child_process';
import { relative } from 'node:path';
import {
  AppNotStartedError,
  ConnectionLostError,
  InterruptedError,
  TenantRefusedError,
} from '../cli.errors.js';
import { findEntry } from '../entry/entry-file.js';
import { projectFolder } from '../entry/project-folder.js';
import type { AppMessage, Ended, TenantCommand } from './app-messages.js';

const MODULE =
  'TenantLifecycleModule.forRoot() of @fledge/tenant/lifecycle to the imports of the root module';
/** Signals that end the command after its running steps. A closed terminal sends SIGHUP. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Number of characters of the application's output that are kept. */
const KEPT_CHARACTERS = 8_000;

export interface TenantAppOptions {
  readonly entry?: string;
  /** Seconds to wait for the application to start. */
  readonly timeout: number;
  readonly onMessage: (message: AppMessage) => void;
  /** Called with each text that the application prints. */
  readonly onOutput: (text: string) => void;
  /** Called at the first Ctrl-C while the command runs. */
  readonly onDrain: () => void;
}

/**
 * Starts the application with a command. Its TenantLifecycleModule runs the command instead of
 * starting the server. After the first Ctrl-C or signal, running steps still finish. The second one
 * kills the application.
 * @returns the last message
 * @throws AppNotStartedError, ConnectionLostError, TenantRefusedError, InterruptedError
 */
export function tenantApp(command: TenantCommand, options: TenantAppOptions): Promise<Ended> {
  const folder = projectFolder(process.cwd());
  const entry = findEntry(folder, options.entry);
  const app = spawn(process.execPath, [...process.execArgv, entry], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, FLEDGE_TENANT_COMMAND: JSON.stringify(command) },
    // The application has its own process group. Otherwise, Ctrl-C in the terminal would also start
    // the application's shutdown hooks.
    detached: true,
  });
  return new Conversation(app, relative('', entry), options).end;
}

class Conversation {
  readonly end: Promise<Ended>;
  private begun = false;
  private draining = false;
  private printed = '';
  private resolve: (ended: Ended) => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;

  constructor(
    private readonly app: ChildProcess,
    private readonly label: string,
    private readonly options: TenantAppOptions,
  ) {
    const timer = setTimeout(() => this.timeOut(), options.timeout * 1000);
    const onSignal = () => this.interrupt();
    for (const signal of SIGNALS) process.on(signal, onSignal);
    this.end = new Promise<Ended>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    }).finally(() => {
      clearTimeout(timer);
      for (const signal of SIGNALS) process.off(signal, onSignal);
    });
    app.on('message', (message: AppMessage) => this.receive(message));
    for (const stream of [app.stdout, app.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.print(text));
    }
    app.once('error', ({ message }) =>
      this.fail(new AppNotStartedError(`${label} could not be started: ${message}.`)),
    );
    // `close` is emitted after the last message and the last output.
    app.once('close', () => this.closed());
  }

  private receive(message: AppMessage): void {
    switch (message.kind) {
      case 'begun':
        this.begun = true;
        break;
      case 'ended':
        this.resolve(message);
        break;
      case 'refused':
        this.reject(new TenantRefusedError(message.message, message.code));
        break;
      case 'untaken':
        this.fail(this.notStarted(`started, but has no TenantLifecycleModule. Add ${MODULE}.`));
        break;
      default:
        this.options.onMessage(message);
    }
  }

  private timeOut(): void {
    const { timeout } = this.options;
    const cure =
      `If the application needs more time, use --timeout ${timeout * 2}. If it has no ` +
      `TenantLifecycleModule, add ${MODULE}.`;
    if (this.begun) return;
    this.fail(this.notStarted(`did not take the command within ${timeout} s. ${cure}`));
  }

  private closed(): void {
    if (this.draining) this.reject(new InterruptedError());
    else if (this.begun) this.reject(this.lost());
    else this.reject(this.notStarted('exited before it received the command.'));
  }

  private fail(error: Error): void {
    this.app.kill('SIGKILL');
    this.reject(error);
  }

  private interrupt(): void {
    const isFirst = this.begun && !this.draining;
    this.draining = true;
    if (!isFirst) return void this.app.kill('SIGKILL');
    this.app.send({ kind: 'drain' });
    this.options.onDrain();
  }

  private print(text: string): void {
    this.printed = (this.printed + text).slice(-KEPT_CHARACTERS);
    this.options.onOutput(text);
  }

  private notStarted(fact: string): AppNotStartedError {
    return new AppNotStartedError(`${this.label} ${fact}`, this.tail());
  }

  private lost(): ConnectionLostError {
    return new ConnectionLostError(
      `${this.label} exited during the command. To see what was done, run: npx @fledge/cli tenant status.`,
      this.tail(),
    );
  }

  private tail(): string | undefined {
    const lines = this.printed.trimEnd().split('\n').slice(-20).join('\n');
    return lines === '' ? undefined : lines;
  }
}
