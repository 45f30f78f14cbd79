import crypto from 'node:crypto';
import { isObject } from '@fledge-internal/options';
import { callerKey } from '../../call/caller-key.js';
import { type Peer, canBeAsked, type Question } from '../../call/peer.js';
import { McpInputRequiredError } from '../../../mcp.errors.js';
import { ErrorCode, type JsonObject, RequestFault } from '../../protocol/json-rpc.js';
import { digestOf } from '../../protocol/json-digest.js';
import type { ClientFeature } from '../../../mcp.definitions.js';
import type { ClientRequest } from '../../methods/client-request.js';
import type { AnswerCheck } from '../../methods/params-check.js';
import type { RoundState, RoundStateCodec } from './round-state.js';

/**
 * The questions of one call of MCP 2026-07-28 (multi round-trip requests). The route runs again in
 * every round. If a question has been answered, `ask()` returns the answer. All other questions are
 * sent to the client for the next round. An answer is valid only for the same question. If the
 * question changed, the client is asked again.
 */
export class InputRounds {
  private readonly answers = new Map<string, readonly [string, unknown]>();
  private readonly asked = new Map<string, Question>();

  /**
   * @param call digest of the call, from `callDigest()`
   * @param answerFault checks the answers of the client
   * @param brought answers in this request
   * @param state state from earlier rounds. Undefined in the first round
   */
  constructor(
    readonly call: string,
    private readonly answerFault: AnswerCheck,
    private readonly brought: JsonObject,
    private readonly state: RoundState | undefined,
  ) {}

  /** Id of the round that this request answers. Undefined if nothing was asked before. */
  get id(): string | undefined {
    return this.state?.id;
  }

  /**
   * Returns the client's answer. Rejects if the client has not answered yet, or if the answer is
   * invalid.
   */
  ask(question: Question): Promise<unknown> {
    const { key, method } = question;
    const digest = questionDigest(question);
    const answer = this.earlier(key, digest) ?? this.fresh(key, digest);
    if (answer === undefined) {
      this.asked.set(key, question);
      return Promise.reject(new McpInputRequiredError(key));
    }
    const fault = this.answerFault(method, answer);
    if (fault !== undefined) return Promise.reject(new Error(fault));
    this.answers.set(key, [digest, answer]);
    return Promise.resolve(answer);
  }

  lacks(question: Question): void {
    this.asked.set(question.key, question);
  }

  get demand(): readonly Question[] | undefined {
    return this.asked.size > 0 ? [...this.asked.values()] : undefined;
  }

  /** The state that the client must send with the next round. */
  get nextState(): RoundState {
    return {
      id: crypto.randomUUID(),
      call: this.call,
      answers: Object.fromEntries(this.answers),
      asked: Object.fromEntries(
        [...this.asked.values()].map((question) => [question.key, questionDigest(question)]),
      ),
    };
  }

  private earlier(key: string, digest: string): JsonObject | undefined {
    const [question, answer] = (this.state && own(this.state.answers, key)) ?? [];
    return question === digest && isObject(answer) ? answer : undefined;
  }

  private fresh(key: string, digest: string): JsonObject | undefined {
    const asked = this.state && own(this.state.asked, key);
    if (this.state && asked !== digest) return undefined;
    const answer = own(this.brought, key);
    return isObject(answer) ? answer : undefined;
  }
}

/** Returns a digest that identifies a call. Equal requests of one sender belong to the same call. */
export function callDigest({
  method,
  params,
  caller,
}: Pick<ClientRequest, 'method' | 'params' | 'caller'>): string {
  const { name, uri, arguments: args } = params;
  return digestOf([
    method,
    name ?? uri,
    isObject(args) ? args : {},
    callerKey(caller),
    caller.endpoint,
  ]);
}

function questionDigest({ method, params }: Question): string {
  return digestOf([method, params]);
}

function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The call first needs answers from the client (MCP 2026-07-28, `InputRequiredResult`). */
export interface InputRequired {
  readonly _meta?: never;
  readonly resultType: 'input_required';
  readonly inputRequests: Readonly<Record<string, { method: string; params: JsonObject }>>;
  readonly requestState: string;
}

/** @throws RequestFault if the client cannot be asked */
export function inputRequired(
  peer: Peer,
  rounds: InputRounds,
  codec: RoundStateCodec,
): InputRequired {
  const missing = missingCapabilitiesOf(peer.demand ?? [], peer);
  if (missing) throw missing;
  return {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(
      (peer.demand ?? []).map(({ key, method, params }) => [key, { method, params }]),
    ),
    requestState: codec.sign(rounds.nextState),
  };
}

const CAPABILITIES: Readonly<Record<ClientFeature, Readonly<Record<string, object>>>> = {
  elicitation: { elicitation: { form: {} } },
  'elicitation.url': { elicitation: { url: {} } },
  sampling: { sampling: {} },
  roots: { roots: {} },
};

/** Returns an error if the client lacks a required capability (MCP 2026-07-28, -32021). */
export function missingCapabilitiesOf(
  questions: readonly Question[],
  peer: Peer,
): RequestFault | undefined {
  const features = questions.map(({ feature }) => feature);
  const missing = [...new Set(features)].filter((feature) => !canBeAsked(peer, feature));
  if (missing.length === 0) return undefined;
  return new RequestFault(
    ErrorCode.MissingClientCapability,
    `Missing required client capability: ${missing.join(', ')}`,
    { requiredCapabilities: joined(missing.map((feature) => CAPABILITIES[feature])) },
  );
}

/** The modes of a capability are also combined. */
function joined(all: readonly Readonly<Record<string, object>>[]): Record<string, object> {
  const found: Record<string, object> = {};
  for (const [name, modes] of all.flatMap(Object.entries<object>)) {
    found[name] = { ...found[name], ...modes };
  }
  return found;
}
