import { Logger } from '@nestjs/common';
import type { Peer } from '../../serve/call/peer.js';
import { withoutSession } from '../../serve/call/caller.js';
import { callerKey } from '../../serve/call/caller-key.js';
import type { Tool } from '../../publish/catalogue/tool.js';
import { digestOf } from '../../serve/protocol/json-digest.js';
import type { JsonObject } from '../../serve/protocol/json-rpc.js';
import type { CallWatch } from '../../serve/observe/call-watch.js';
import { outcomeOf } from '../../serve/methods/answer.js';
import { type CallAnswer, CallFault, type ToolCall } from '../../serve/methods/extension.js';
import { routeErrorIn } from '../../serve/results/tool-result.js';
import { beforeRun } from './before-run.js';
import type { McpKnownWrite, McpWrite, McpWrites } from './write-store.js';

const RENEW_MS = 10_000;

/** A call with an idempotency key. */
export interface KeyedCall {
  readonly tool: Tool;
  /** The arguments that must be the same if the call is repeated. */
  readonly compared: JsonObject;
  readonly peer: Peer;
  readonly startedForTask?: ToolCall['startedForTask'];
  readonly key: string;
  /** Milliseconds for which the response is stored. */
  readonly ttlMs: number;
}

/** The part of a call's result that is stored. */
interface KeptAnswer {
  readonly answer: CallAnswer;
  /** The format of the structured content. */
  readonly structured: Peer['structured'];
}

/** Detects repeated calls and returns the response of the first call. */
export class Repeats {
  private readonly logger = new Logger('McpModule');

  /** @param path path of the endpoint */
  constructor(
    private readonly writes: McpWrites,
    private readonly path: string,
  ) {}

  /**
   * Runs a call unless its key is known.
   * @param confirm returns undefined if the call may run. Otherwise returns a result to send
   * instead. Without this parameter, no confirmation is required
   * @throws CallFault if the key was used for another call, if the first call still runs, or if
   * nobody knows the outcome of the first call
   */
  async run(
    call: KeyedCall,
    confirm: (() => Promise<CallAnswer | undefined>) | undefined,
    run: (peer: Peer) => Promise<CallAnswer>,
  ): Promise<CallAnswer> {
    const name = this.nameOf(call);
    const args = digestsOf(call.compared);
    if (confirm) {
      // Check the key first: a repeated call needs no confirmation.
      const known = await beforeRun(this.writes.find(name));
      if (known) return firstAnswer(call, args, known);
      const instead = await confirm();
      if (instead) return instead;
    }
    return recorded(call.peer.caller.watch, () => this.runOnce(call, { name, args }, run));
  }

  private async runOnce(
    call: KeyedCall,
    { name, args }: { readonly name: string; readonly args: McpWrite['args'] },
    run: (peer: Peer) => Promise<CallAnswer>,
  ): Promise<CallAnswer> {
    const { writes } = this;
    const other = await beforeRun(writes.begin(name, { args }, call.ttlMs));
    if (other) return firstAnswer(call, args, other);
    const renewing = setInterval(() => void writes.renew(name).catch(ignore), RENEW_MS).unref();
    try {
      const answer = await run(lastingPeer(call));
      await this.keep(name, args, answer, call);
      return answer;
    } catch (error) {
      // The call may have changed something before it failed.
      await writes.end(name, { args }, call.ttlMs).catch(ignore);
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  /**
   * Stores the result. If that fails, the client still receives the result, because the call has
   * run.
   */
  private async keep(
    name: string,
    args: Readonly<Record<string, string>>,
    answer: CallAnswer,
    { tool, peer: { structured }, ttlMs }: KeyedCall,
  ): Promise<void> {
    try {
      switch (effectOf(answer)) {
        case 'none':
          return await this.writes.free(name);
        case 'unknown':
          return await this.writes.end(name, { args }, ttlMs);
        case 'known':
          return await this.writes.end(name, { args, answer: { answer, structured } }, ttlMs);
      }
    } catch (error) {
      this.logger.error(
        `The response of "${tool.name}" could not be stored. A repeated call will be rejected.`,
        error,
      );
    }
  }

  private nameOf({ tool, peer, key }: KeyedCall): string {
    // A client that lost its connection repeats the call in a new session.
    const sender = callerKey(withoutSession(peer.caller));
    return digestOf([this.path, tool.name, sender, key]);
  }
}

/** Completes the call record with the outcome of the call, even if the client has left before. */
async function recorded(
  watch: CallWatch | undefined,
  run: () => Promise<CallAnswer>,
): Promise<CallAnswer> {
  watch?.lasts();
  try {
    const answer = await run();
    watch?.lasted(outcomeOf(answer));
    return answer;
  } catch (error) {
    const { message } = error as Error;
    watch?.lasted({ outcome: 'error', error: { code: 'tool_error', text: message } });
    throw error;
  }
}

/**
 * Returns a peer whose call continues if the client disconnects or cancels the request. Clients
 * also cancel a request when they stop waiting. They will repeat the call, and will expect the
 * response. Only the end of a task aborts the call.
 */
function lastingPeer({ peer, startedForTask = ignore }: KeyedCall): Peer {
  return new Proxy(peer, {
    get(target, name) {
      if (name === 'started') return startedForTask;
      const value: unknown = Reflect.get(target, name);
      // A peer has state, so its methods must run on the peer itself.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/**
 * Returns the effect of a call: `none`, `known` or `unknown`. A call with a 4xx or 501 response
 * changed nothing (RFC 9110 §15.5, §15.6.2). A client that cannot be asked gets 501. A call whose
 * route asks the client a question changed nothing, because routes ask before they change anything.
 * A redirect may follow a change (303). If a call was aborted or timed out, the effect is unknown.
 */
function effectOf(answer: CallAnswer): 'none' | 'unknown' | 'known' {
  if (answer.kind === 'input-required') return 'none';
  if (answer.kind === 'typed' || !answer.result.isError) return 'known';
  const status = routeErrorIn(answer.result)?.status;
  if (status === undefined || status === 502 || status === 504) return 'unknown';
  return (status >= 400 && status < 500) || status === 501 ? 'none' : 'known';
}

/**
 * @throws CallFault if there is no stored result, or if the stored result is for other arguments
 */
function firstAnswer(
  call: KeyedCall,
  args: Readonly<Record<string, string>>,
  { write, isRunning }: McpKnownWrite,
): CallAnswer {
  const { name } = call.tool;
  const names = [...new Set([...Object.keys(args), ...Object.keys(write.args)])].sort();
  const others = names.filter((each) => args[each] !== write.args[each]);
  if (others.length > 0) {
    throw new CallFault(
      `Nothing was done: this idempotencyKey was already used for a call of "${name}" with ` +
        `different values of: ${others.join(', ')}. Use a new key for a different call.`,
    );
  }
  if (isRunning) {
    throw new CallFault(
      `The first call of "${name}" with this idempotencyKey is still running. Wait 5 seconds, then repeat the call to ` +
        'get its response.',
      { 'fledge/error': { status: 409, retryable: true, retryAfter: '5' } },
    );
  }
  if (write.answer) return repeatedAnswer(call, write.answer as KeptAnswer);
  throw new CallFault(
    `The outcome of the first call of "${name}" with this idempotencyKey is unknown, because the ` +
      'call timed out or was cancelled, or its process ended. The call was not run again. Read the data to see ' +
      'whether the first call had an effect. To run the call again, use a new key.',
    { 'fledge/error': { status: 409, retryable: false } },
  );
}

/** @throws CallFault if the stored structured content has the format of another protocol version */
function repeatedAnswer({ tool, peer }: KeyedCall, { answer, structured }: KeptAnswer): CallAnswer {
  if (answer.kind !== 'result') return answer;
  const { structuredContent, ...result } = answer.result;
  const _meta = { ...result._meta, 'fledge/repeated': true };
  if (structuredContent === undefined || structured === peer.structured) {
    return { kind: 'result', result: { ...answer.result, _meta } };
  }
  if (!tool.output || result.isError) return { kind: 'result', result: { ...result, _meta } };
  throw new CallFault(
    `The first call of "${tool.name}" with this idempotencyKey succeeded and was not run again. ` +
      'Its response cannot be returned, because it was stored in the format of another protocol ' +
      'version.',
  );
}

function digestsOf(args: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, digestOf(value).slice(0, 22)]),
  );
}

function ignore(): void {}
