import crypto, { randomBytes } from 'node:crypto';
import type { Caller } from '../calls/caller.js';
import { type Peer, canBeAsked, type Question } from '../calls/peer.js';
import { McpInputRequiredError } from '../mcp.errors.js';
import { ErrorCode, type JsonObject, RequestFault } from '../messages/json-rpc.js';
import { isRecord } from '../schema/json-schema.js';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import type { ClientFeature } from '../mcp.definitions.js';

/** What a client carries from one round of a call to the next, signed. */
export interface RoundState {
  /** Digest of the call: its answers are of no use to another one. */
  readonly call: string;
  /** By key: digest of the question, and the answer. */
  readonly answers: Readonly<Record<string, readonly [question: string, answer: unknown]>>;
  /** By key: digest of the question that was put last. */
  readonly asked: Readonly<Record<string, string>>;
}

/** What makes two requests rounds of one call: the same request of the same caller. */
export interface CallIdentity {
  readonly method: string;
  /** Name or URI of what is called. */
  readonly name: string;
  readonly args: JsonObject;
  readonly caller: Caller;
}

/**
 * The questions of one call of 2026-07-28 (multi round-trip requests). The route runs again in every
 * round; what the client answered so far is found here, the rest becomes the next round's demand. An
 * answer counts for the very question it was given to: where the route asks otherwise than before,
 * the client is asked anew.
 */
export class InputRounds {
  private readonly answers: Record<string, readonly [string, unknown]> = {};
  private readonly asked = new Map<string, Question>();

  /**
   * @param brought answers that came with this request
   * @param state what came of the rounds before
   */
  constructor(
    readonly call: CallIdentity,
    private readonly brought: JsonObject = {},
    private readonly state?: RoundState,
  ) {}

  /** Rejects where the answer has to come with another request. */
  ask(question: Question): Promise<unknown> {
    const { key } = question;
    const digest = questionDigest(question);
    const answer = this.earlier(key, digest) ?? this.fresh(key, digest);
    if (answer === undefined) {
      this.asked.set(key, question);
      return Promise.reject(new McpInputRequiredError(key));
    }
    this.answers[key] = [digest, answer];
    return Promise.resolve(answer);
  }

  lacks(question: Question): void {
    this.asked.set(question.key, question);
  }

  get demand(): readonly Question[] | undefined {
    return this.asked.size > 0 ? [...this.asked.values()] : undefined;
  }

  /** What the client is to bring back. */
  get nextState(): RoundState {
    return {
      call: callDigest(this.call),
      answers: this.answers,
      asked: Object.fromEntries(
        [...this.asked.values()].map((question) => [question.key, questionDigest(question)]),
      ),
    };
  }

  private earlier(key: string, digest: string): unknown {
    const known = this.state && own(this.state.answers, key);
    return known?.[0] === digest ? known[1] : undefined;
  }

  private fresh(key: string, digest: string): unknown {
    const asked = this.state && own(this.state.asked, key);
    if (this.state && asked !== digest) return undefined;
    const answer = own(this.brought, key);
    return isRecord(answer) ? answer : undefined;
  }
}

/** Digest of a call. */
export function callDigest({ method, name, args, caller }: CallIdentity): string {
  return digestOf([method, name, args, caller.principal?.id ?? null]);
}

/** Digest of any JSON value, whatever the order of its members. */
function digestOf(value: unknown): string {
  return crypto.hash('sha256', canonicalJson(value), 'base64');
}

function questionDigest({ method, params }: Question): string {
  return digestOf([method, params]);
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isRecord(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

type Sdk = typeof import('@modelcontextprotocol/server');

/** Seals what a client carries between rounds, and reads it back. */
export type RoundStateCodec = ReturnType<Sdk['createRequestStateCodec']>;

/** The SDK's own: HMAC-SHA256, ten minutes. Without a secret, one of this process. */
export function roundStateCodec(sdk: Sdk, { stateSecret }: ResolvedMcpOptions): RoundStateCodec {
  return sdk.createRequestStateCodec<RoundState>({ key: stateSecret ?? randomBytes(32) });
}

/** Result of a call that needs answers first (MCP 2026-07-28, `InputRequiredResult`). */
export interface InputRequired {
  readonly _meta?: never;
  readonly resultType: 'input_required';
  readonly inputRequests: Readonly<Record<string, { method: string; params: JsonObject }>>;
  readonly requestState: string;
}

/**
 * What is answered in place of a result, when a call needs more of its client.
 * @throws RequestFault where the client cannot be asked
 */
export async function roundAnswer(
  peer: RoundPeer,
  codecOf: () => RoundStateCodec | Promise<RoundStateCodec>,
): Promise<InputRequired> {
  const missing = missingCapabilities(peer);
  if (missing) throw missing;
  const codec = await codecOf();
  return {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(
      (peer.demand ?? []).map(({ key, method, params }) => [key, { method, params }]),
    ),
    requestState: await codec.mint(peer.rounds.nextState),
  };
}

interface RoundPeer extends Peer {
  readonly rounds: InputRounds;
}

/** What a client declares of a feature that calls use. */
const CAPABILITIES: Readonly<Record<ClientFeature, object>> = {
  elicitation: { form: {} },
  sampling: {},
  roots: {},
};

/** Why what a call demands cannot be asked of the client; undefined where it can (MCP 2026-07-28, -32021). */
export function missingCapabilities(peer: Peer): RequestFault | undefined {
  const features = (peer.demand ?? []).map(({ feature }) => feature);
  const missing = [...new Set(features)].filter((feature) => !canBeAsked(peer, feature));
  if (missing.length === 0) return undefined;
  return new RequestFault(
    ErrorCode.MissingClientCapability,
    `Missing required client capability: ${missing.join(', ')}`,
    {
      requiredCapabilities: Object.fromEntries(
        missing.map((feature) => [feature, CAPABILITIES[feature]]),
      ),
    },
  );
}
