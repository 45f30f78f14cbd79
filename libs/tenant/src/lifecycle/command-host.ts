import { Injectable, Optional } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { callHook } from '../call-hook.js';
import { TenantDirectory } from '../directory/tenant-directory.js';
import { Tenancy } from '../scope/tenancy.js';
import type {
  CommandMessage,
  ListedTenant,
  SentOutcome,
  TenantCommand,
} from './command-messages.js';
import { TenantLifecycle } from './tenant-lifecycle.js';
import { describeError } from './error-facts.js';
import { TenantStepError } from './lifecycle.errors.js';
import type { TenantRunOptions, TenantRunReport, TenantStepOutcome } from './lifecycle.options.js';

const VARIABLE = 'FLEDGE_TENANT_COMMAND';
/** Maximum time in milliseconds until providers must have closed their resources. */
const CLOSING_MS = 5_000;

/**
 * Serves the command `fledge tenant`. If the command started this process, runs the command instead
 * of the application. Then ends the process.
 */
@Injectable()
export class CommandHost {
  constructor(
    readonly lifecycle: TenantLifecycle,
    private readonly discovery: DiscoveryService,
    // Optional, because `lifecycle` throws the error about a missing TenantModule.
    @Optional() private readonly tenancy: Tenancy,
    @Optional() private readonly directory: TenantDirectory,
  ) {}

  /** After a command, this function ends the process and never returns. */
  async serve(): Promise<void> {
    const command = takeCommand();
    if (command === undefined) return;
    const drain = new AbortController();
    process.on('message', (message) => {
      if ((message as { kind?: unknown } | null)?.kind === 'drain') drain.abort();
    });
    // Emitted if the `fledge` process was killed.
    process.on('disconnect', () => drain.abort());
    // After that, each log line fails with EPIPE. Without a listener, the error would end the process.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
    await sent({ kind: 'begun' });
    const last = await runCommand(this, command, drain.signal, (message) => {
      void sent(message);
    });
    await this.closeProviders();
    await sent(last);
    process.exit();
  }

  /**
   * Returns all tenants, also tenants with an invalid record. `lifecycle.list()` omits those. Returns
   * no `data`, because it may contain credentials, and logs may contain the output of the command.
   */
  async list(): Promise<ListedTenant[]> {
    const all = await this.tenancy.runCentral('TenantLifecycle.list', () =>
      this.directory.everyone(),
    );
    return all.map(({ tenantId, identifier, status, fault }) => {
      if (fault !== undefined) return { tenantId, invalid: fault.reason };
      return { tenantId, ...(identifier !== undefined && { identifier }), status };
    });
  }

  /** Calls the shutdown hooks directly, because there is no application yet. */
  private async closeProviders(): Promise<void> {
    const instances = new Set(
      this.discovery
        .getProviders()
        .filter((it) => it.isDependencyTreeStatic())
        .map(({ instance }): unknown => instance),
    );
    const late = new Promise((resolve) => setTimeout(resolve, CLOSING_MS));
    for (const hook of ['onModuleDestroy', 'onApplicationShutdown']) {
      const calls = [...instances].map(async (instance) => {
        const close = (Object(instance) as Record<string, unknown>)[hook];
        if (typeof close === 'function') await close.call(instance);
      });
      // Hooks may fail, because some providers were not initialized.
      await Promise.race([Promise.allSettled(calls), late]);
    }
  }
}

/** Reads the command and removes it. Child processes must not run the command. */
function takeCommand(): TenantCommand | undefined {
  const text = process.env[VARIABLE];
  delete process.env[VARIABLE];
  if (text === undefined || process.send === undefined) return undefined;
  return JSON.parse(text) as TenantCommand;
}

/** Resolves when the message was sent, or if the message cannot be sent anymore. */
function sent(message: CommandMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) return resolve();
    callHook(() => process.send?.(message, undefined, {}, () => resolve()));
  });
}

type Send = (message: CommandMessage) => void;

/** Never throws. */
async function runCommand(
  host: CommandHost,
  command: TenantCommand,
  signal: AbortSignal,
  send: Send,
): Promise<CommandMessage> {
  try {
    return await answerOf(host, command, signal, send);
  } catch (error) {
    // The outcomes were already sent, and they contain the error.
    if (error instanceof TenantStepError) return { kind: 'ended', ok: false };
    return { kind: 'refused', ...describeError(error) };
  }
}

async function answerOf(
  host: CommandHost,
  command: TenantCommand,
  signal: AbortSignal,
  send: Send,
): Promise<CommandMessage> {
  const { lifecycle } = host;
  const watch = watching(send);
  switch (command.kind) {
    case 'create':
      await lifecycle.create(command.record, { ...watch, resume: command.resume });
      break;
    case 'remove':
      await lifecycle.remove(command.tenant, watch);
      break;
    case 'set-status':
      await lifecycle.setStatus(command.tenant, command.status);
      break;
    case 'migrate':
    case 'seed':
      return endOf(await lifecycle[command.kind]({ ...command.options, ...watch, signal }));
    case 'run':
      return endOf(await lifecycle.run(command.task, { ...command.options, ...watch, signal }));
    case 'list':
      send({ kind: 'tenants', tenants: await host.list() });
      break;
    case 'status': {
      const { pending, tenants: names } = command;
      const options = { pending, ...(names && { tenants: names }) };
      const { tenants, ok } = await lifecycle.status(options);
      send({ kind: 'states', tenants });
      return { kind: 'ended', ok };
    }
  }
  return { kind: 'ended', ok: true };
}

function endOf({ ok, stopped }: TenantRunReport): CommandMessage {
  return { kind: 'ended', ok, ...(stopped !== undefined && { stopped }) };
}

function watching(send: Send): Pick<TenantRunOptions, 'onOutcome' | 'onLog'> {
  return {
    onOutcome: ({ error, ...outcome }: TenantStepOutcome, progress) =>
      send({
        kind: 'outcome',
        outcome: { ...outcome, ...(outcome.status === 'failed' && sentError(error)) },
        ...progress,
      }),
    onLog: (tenant, text) => send({ kind: 'log', tenant, text }),
  };
}

/** JSON would lose the message of an error. */
function sentError(error: unknown): Pick<SentOutcome, 'error' | 'code'> {
  const { message, ...code } = describeError(error);
  return { error: message, ...code };
}
