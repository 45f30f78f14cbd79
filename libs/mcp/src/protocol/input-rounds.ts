// The default: by name, Node.js before 20.12 would fail here and not say which version it takes.
import crypto from 'node:crypto';
import type { Caller } from '../dispatch/call.js';
import type { ClientQuestion } from '../live/call-peer.js';
import { McpInputRequiredError } from '../live/live.errors.js';
import { isObject, type JsonObject } from './json-rpc.js';

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
  private readonly asked = new Map<string, ClientQuestion>();

  /**
   * @param brought answers that came with this request
   * @param state what came of the rounds before
   */
  constructor(
    private readonly call: CallIdentity,
    private readonly brought: JsonObject = {},
    private readonly state?: RoundState,
  ) {}

  /** Rejects where the answer has to come with another request. */
  ask(question: ClientQuestion): Promise<unknown> {
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

  lacks(question: ClientQuestion): void {
    this.asked.set(question.key, question);
  }

  get demand(): readonly ClientQuestion[] | undefined {
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
    return isObject(answer) ? answer : undefined;
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

function questionDigest({ method, params }: ClientQuestion): string {
  return digestOf([method, params]);
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
