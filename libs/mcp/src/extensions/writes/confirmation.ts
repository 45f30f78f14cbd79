import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { objectOf } from '@fledge-internal/options';
import { callerKey } from '../../serve/call/caller-key.js';
import { canBeAsked, type Peer, type Question } from '../../serve/call/peer.js';
import type { Tool } from '../../publish/catalogue/tool.js';
import { McpOptionError } from '../../mcp.errors.js';
import { digestOf } from '../../serve/protocol/json-digest.js';
import type { JsonObject } from '../../serve/protocol/json-rpc.js';
import type { Answer } from '../../serve/methods/answer.js';
import { CallFault } from '../../serve/methods/extension.js';
import type { ToolResult } from '../../serve/results/tool-result.js';
import { beforeRun } from './before-run.js';
import type { Confirm } from './write-options.js';
import type { McpWrites } from './write-store.js';

/** Name of the argument that contains the confirmation token. */
export const CONFIRMATION = 'confirmation';

const TOKEN_MS = 300_000;
/** Milliseconds for which an answer is remembered. The state of a request expires earlier. */
const ROUND_MS = 900_000;

/** A call that requires confirmation. `args` are the arguments that the route receives. */
export interface UnconfirmedCall {
  readonly tool: Tool;
  readonly args: JsonObject;
  readonly peer: Peer;
  /** Value of the argument `confirmation`. */
  readonly token: unknown;
}

/**
 * Requires a confirmation of each call: by the user of the client, or by a second call with a
 * token.
 */
export class Confirmations {
  /** @param path path of the endpoint */
  constructor(
    private readonly writes: McpWrites,
    private readonly path: string,
  ) {}

  /**
   * Returns when the call is confirmed.
   * @returns undefined, or a result to send instead of the call's result. There is such a result if
   * a client of MCP 2026-07-28 has to send the answer in another request
   * @throws CallFault if the call is not confirmed
   */
  async confirm(
    call: UnconfirmedCall,
    { message, by }: Confirm,
  ): Promise<Answer<ToolResult> | undefined> {
    const { tool, args, peer } = call;
    if (canBeAsked(peer, 'elicitation')) return this.ask(peer, questionText(tool, args, message));
    if (by === 'person') {
      throw new CallFault(
        `Nothing was done: a person has to confirm "${tool.name}", but this client cannot ask ` +
          'its user. Use a client that supports elicitation.',
      );
    }
    await this.useToken(call);
    return undefined;
  }

  /**
   * Returns the token for a second call, as part of the result of a dry run. Returns undefined if
   * the client will ask its user.
   */
  async tokenFor(call: UnconfirmedCall, { by }: Confirm): Promise<string | undefined> {
    if (by === 'person' || canBeAsked(call.peer, 'elicitation')) return undefined;
    return this.sign(call, Date.now() + TOKEN_MS, randomBytes(12).toString('base64url'));
  }

  private async ask(peer: Peer, message: string): Promise<Answer<ToolResult> | undefined> {
    const params = { mode: 'form', message, requestedSchema: { type: 'object', properties: {} } };
    const question: Question = {
      feature: 'elicitation',
      method: 'elicitation/create',
      params,
      // The key contains the package name, so it does not collide with a key of a route.
      key: 'fledge-confirmation',
    };
    const action = await askOf(peer, question);
    if (action === undefined) {
      return { kind: 'input-required', questions: peer.demand ?? [], result: undefined };
    }
    if (action !== 'accept') {
      // Some clients decline without asking. The model must not tell the user what they decided.
      const reason =
        action === 'decline'
          ? 'the user declined, or the client declined without asking the user'
          : 'the user did not confirm';
      throw new CallFault(`Nothing was done: ${reason}.`);
    }
    if (peer.round !== undefined) await this.useRound(peer.round);
    return undefined;
  }

  /**
   * Marks the answer in a request as used. An answer confirms only one call, even if the client
   * sends the request again.
   */
  private async useRound(round: string): Promise<void> {
    if (round !== '' && (await beforeRun(this.writes.useUp(`round:${round}`, ROUND_MS)))) return;
    throw new CallFault(
      round === ''
        ? 'Nothing was done: nobody was asked to confirm this call. Omit `inputResponses`.'
        : 'Nothing was done: this confirmation has already been used. To be asked again, send ' +
            'the call without `requestState`.',
    );
  }

  private async useToken(call: UnconfirmedCall): Promise<void> {
    const { token } = call;
    const fault =
      token === undefined || token === null
        ? `"${call.tool.name}" requires confirmation`
        : await this.tokenFault(call, typeof token === 'string' ? token : '');
    if (fault === undefined) return;
    const next = await this.tokenFor(call, { message: undefined, by: 'client' });
    throw new CallFault(
      `Nothing was done: ${fault}. To run the tool, call it again within 5 minutes with the same ` +
        `arguments and "${CONFIRMATION}": "${next}".`,
      { 'fledge/confirmation': { token: next, expiresInMs: TOKEN_MS } },
    );
  }

  /**
   * Returns the reason why a token does not confirm the call. Returns undefined if the token
   * confirms it. A valid token can be used only once.
   */
  private async tokenFault(call: UnconfirmedCall, token: string): Promise<string | undefined> {
    const foreign = 'the confirmation is for another call';
    const [, until, nonce] = /^([0-9a-z]{1,11})\.([\w-]{16})\.[\w-]{43}$/.exec(token) ?? [];
    if (until === undefined || nonce === undefined) return foreign;
    const expires = parseInt(until, 36);
    const expected = await this.sign(call, expires, nonce);
    // Valid tokens have equal length, except if their times have different numbers of digits.
    if (expected.length !== token.length) return foreign;
    if (!timingSafeEqual(Buffer.from(expected), Buffer.from(token))) return foreign;
    if (expires < Date.now()) return 'the confirmation has expired';
    const isNew = await beforeRun(this.writes.useUp(`token:${nonce}`, TOKEN_MS + 60_000));
    return isNew ? undefined : 'the confirmation has already been used';
  }

  /** Signs a token for this tool, these arguments, this caller and this endpoint. */
  private async sign(
    { tool, args, peer }: UnconfirmedCall,
    expires: number,
    nonce: string,
  ): Promise<string> {
    const caller = callerKey(peer.caller);
    const bound = digestOf([this.path, tool.name, args, caller, expires, nonce]);
    const mac = createHmac('sha256', await beforeRun(this.writes.secret()))
      .update(bound)
      .digest('base64url');
    return `${expires.toString(36)}.${nonce}.${mac}`;
  }
}

/**
 * Returns the action of the user. Returns undefined if the client will send the answer in another
 * request.
 */
async function askOf(peer: Peer, question: Question): Promise<unknown> {
  const over = new AbortController();
  peer.started({ abort: () => over.abort() });
  try {
    return objectOf(await peer.ask(question, over.signal))['action'] ?? 'none';
  } catch {
    if (peer.demand) return undefined;
    throw new CallFault('Nothing was done: the client did not answer the confirmation request.');
  }
}

/** Maximum characters of a value in a question. */
const MOST_SHOWN = 200;

/** Returns the question. Argument names in braces are replaced with their values. */
function questionText(tool: Tool, given: JsonObject, message: string | undefined): string {
  // The question of a task may be stored in Redis, where secrets must not be.
  const args = tool.redact(given);
  if (message === undefined) return `Run "${tool.title}" with ${shown(args, 1_000)}?`;
  return message.replaceAll(PLACEHOLDER, (_, name: string) =>
    Object.hasOwn(args, name) ? shown(args[name], MOST_SHOWN) : '(none)',
  );
}

const PLACEHOLDER = /\{(\w+)\}/g;

/**
 * Formats a value on one line. Replaces characters that a person cannot see, so the question cannot
 * hide a part of the value.
 */
function shown(value: unknown, most: number): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const visible = text.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]+/gu,
    ' ',
  );
  return visible.length <= most
    ? visible
    : `${visible.slice(0, most)}... (${visible.length} characters)`;
}

/** @throws McpOptionError if a question refers to an argument that the tool does not have */
export function refuseUnknownPlaceholders(
  { message = '' }: Confirm,
  names: readonly string[],
  label: string,
): void {
  const unknown = [...message.matchAll(PLACEHOLDER)].find(
    ([, name]) => !names.includes(name as string),
  );
  if (!unknown) return;
  throw new McpOptionError(
    `@McpTool({ confirm }) on ${label} contains ${unknown[0]}, but the tool has no such ` +
      `argument. The arguments are: ${names.join(', ') || 'none'}.`,
  );
}
