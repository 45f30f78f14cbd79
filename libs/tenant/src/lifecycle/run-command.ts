import type { CommandMessage, SentOutcome, TenantCommand } from './command-messages.js';
import { describeError } from './error-facts.js';
import { TenantStepError } from './lifecycle.errors.js';
import type { TenantRunOptions, TenantRunReport, TenantStepOutcome } from './lifecycle.options.js';
import type { TenantLifecycle } from './tenant-lifecycle.js';

type Send = (message: CommandMessage) => void;

/** Does what a command says, and sends what comes of it. Does not throw. */
export async function runCommand(
  lifecycle: TenantLifecycle,
  command: TenantCommand,
  signal: AbortSignal,
  send: Send,
): Promise<CommandMessage> {
  try {
    return await answerOf(lifecycle, command, signal, send);
  } catch (error) {
    // Its outcomes were sent.
    if (error instanceof TenantStepError) return { kind: 'ended', ok: false };
    return { kind: 'refused', ...describeError(error) };
  }
}

async function answerOf(
  lifecycle: TenantLifecycle,
  command: TenantCommand,
  signal: AbortSignal,
  send: Send,
): Promise<CommandMessage> {
  const watch = watching(send);
  switch (command.kind) {
    case 'create':
      await lifecycle.create(command.record, { ...watch, resume: command.resume });
      return { kind: 'ended', ok: true };
    case 'remove':
      await lifecycle.remove(command.tenant, watch);
      return { kind: 'ended', ok: true };
    case 'set-status':
      await lifecycle.setStatus(command.tenant, command.status);
      return { kind: 'ended', ok: true };
    case 'migrate':
    case 'seed':
      return endOf(await lifecycle[command.kind]({ ...command.options, ...watch, signal }));
    case 'run':
      return endOf(await lifecycle.run(command.task, { ...command.options, ...watch, signal }));
    case 'list':
      send({ kind: 'tenants', tenants: await lifecycle.list() });
      return { kind: 'ended', ok: true };
    case 'status': {
      const { pending, tenants: names } = command;
      const options = { pending, ...(names && { tenants: names }) };
      const { tenants, ok } = await lifecycle.status(options);
      send({ kind: 'states', tenants });
      return { kind: 'ended', ok };
    }
  }
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

/** As text, because errors lose their message in JSON. */
function sentError(error: unknown): Pick<SentOutcome, 'error' | 'code'> {
  const { message, ...code } = describeError(error);
  return { error: message, ...code };
}
