import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { canBeAsked, type Peer, type Question } from '../../serve/call/peer.js';
import type { Tool } from '../../publish/catalogue/tool.js';
import { McpOptionError } from '../../mcp.errors.js';
import { digestOf } from '../../serve/protocol/json-digest.js';
import type { JsonObject } from '../../serve/protocol/json-rpc.js';
import type { Answer } from '../../serve/methods/answer.js';
import { CallFault, type ExtendedEndpoint } from '../../serve/methods/extension.js';
import type { ToolResult } from '../../serve/results/tool-result.js';
import { objectOf } from '../../publish/schema/json-schema.js';
import { beforeRun } from './before-run.js';
import type { Confirm } from './write-options.js';
import type { McpWrites } from './write-store.js';

/** The argument that takes a token. */
export const CONFIRMATION = 'confirmation';

const TOKEN_MS = 300_000;
/** Longer than the state of a round is valid. */
const ROUND_MS = 900_000;

/** A call that has to be confirmed. Its arguments are those for the route. */
export interface UnconfirmedCall {
  readonly tool: Tool;
  readonly args: JsonObject;
  readonly peer: Peer;
  /** What the client sent as the argument `confirmation`. */
  readonly token: unknown;
}

/** Gets calls confirmed: by the person at the client, or by a second call with a token. */
export class Confirmations {
  constructor(
    private readonly writes: McpWrites,
    private readonly endpoint: Pick<ExtendedEndpoint, 'path' | 'keyOf'>,
  ) {}

  /**
   * Returns once the call is confirmed.
   * @returns an answer instead, if the client of 2026-07-28 has to answer with another request
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
        `Nothing was done: a person has to confirm "${tool.name}", and this client cannot ask one. It needs a client ` +
          'with elicitation.',
      );
    }
    await this.useToken(call);
    return undefined;
  }

  /** What a call must bring to run, for the result of a dry run. Undefined if the client will be asked. */
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
      // No route asks with this key by chance.
      key: 'fledge-confirmation',
    };
    const action = await askOf(peer, question);
    if (action === undefined) {
      return { kind: 'input-required', questions: peer.demand ?? [], result: undefined };
    }
    if (action !== 'accept') {
      throw new CallFault(
        `Nothing was done: ${action === 'decline' ? 'the user declined' : 'the user did not confirm'}.`,
      );
    }
    if (peer.round !== undefined) await this.useRound(peer.round);
    return undefined;
  }

  /** An answer that came with a request confirms one call, however often the client sends the request. */
  private async useRound(round: string): Promise<void> {
    if (round !== '' && (await beforeRun(this.writes.useUp(`round:${round}`, ROUND_MS)))) return;
    throw new CallFault(
      round === ''
        ? 'Nothing was done: nobody was asked to confirm this call. Send it without inputResponses.'
        : 'Nothing was done: this confirmation was used before. Send the call without requestState to ask again.',
    );
  }

  private async useToken(call: UnconfirmedCall): Promise<void> {
    const { token } = call;
    const fault =
      token === undefined || token === null
        ? `"${call.tool.name}" has to be confirmed`
        : await this.tokenFault(call, typeof token === 'string' ? token : '');
    if (fault === undefined) return;
    const next = await this.tokenFor(call, { message: undefined, by: 'client' });
    throw new CallFault(
      `Nothing was done: ${fault}. To run it, call it again within 5 minutes with the same arguments and ` +
        `"${CONFIRMATION}": "${next}".`,
      { 'fledge/confirmation': { token: next, expiresInMs: TOKEN_MS } },
    );
  }

  /** Why a token confirms nothing. A token that confirms is used up. */
  private async tokenFault(call: UnconfirmedCall, token: string): Promise<string | undefined> {
    const foreign = 'the confirmation belongs to another call';
    const [, until, nonce] = /^([0-9a-z]{1,11})\.([\w-]{16})\.[\w-]{43}$/.exec(token) ?? [];
    if (until === undefined || nonce === undefined) return foreign;
    const expires = parseInt(until, 36);
    const expected = await this.sign(call, expires, nonce);
    // Equal in length, unless the time was written in another way.
    if (expected.length !== token.length) return foreign;
    if (!timingSafeEqual(Buffer.from(expected), Buffer.from(token))) return foreign;
    if (expires < Date.now()) return 'the confirmation has expired';
    const isNew = await beforeRun(this.writes.useUp(`token:${nonce}`, TOKEN_MS + 60_000));
    return isNew ? undefined : 'the confirmation was used before';
  }

  /** Binds a token to the tool, the arguments, the caller and the endpoint. */
  private async sign(
    { tool, args, peer }: UnconfirmedCall,
    expires: number,
    nonce: string,
  ): Promise<string> {
    const { path, keyOf } = this.endpoint;
    const bound = digestOf([path, tool.name, args, keyOf(peer.caller), expires, nonce]);
    const mac = createHmac('sha256', await beforeRun(this.writes.secret()))
      .update(bound)
      .digest('base64url');
    return `${expires.toString(36)}.${nonce}.${mac}`;
  }
}

/** The action of the user. Undefined if the client answers with another request. */
async function askOf(peer: Peer, question: Question): Promise<unknown> {
  const over = new AbortController();
  peer.started({ abort: () => over.abort() });
  try {
    return objectOf(await peer.ask(question, over.signal))['action'] ?? 'none';
  } catch {
    if (peer.demand) return undefined;
    throw new CallFault(
      'Nothing was done: the client did not answer the question for confirmation.',
    );
  }
}

/** The longest value that a question shows. */
const MOST_SHOWN = 200;

/** The question, with the arguments in place of their names in braces. */
function questionText(tool: Tool, args: JsonObject, message: string | undefined): string {
  if (message === undefined) return `Run "${tool.title}" with ${shown(args, 1_000)}?`;
  return message.replaceAll(PLACEHOLDER, (_, name: string) =>
    Object.hasOwn(args, name) ? shown(args[name], MOST_SHOWN) : '(none)',
  );
}

const PLACEHOLDER = /\{(\w+)\}/g;

/** A value in one line, without characters that nobody sees: what the person reads is what will run. */
function shown(value: unknown, most: number): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const visible = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
  return visible.length <= most
    ? visible
    : `${visible.slice(0, most)}... (${visible.length} characters)`;
}

/** @throws McpOptionError if a question names an argument that the tool does not have */
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
    `@McpTool({ confirm }) on ${label} names ${unknown[0]}, which is no argument. The arguments are: ` +
      `${names.join(', ') || 'none'}.`,
  );
}
