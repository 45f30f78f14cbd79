import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ErrorCode, RequestFault } from '../../protocol/json-rpc.js';

/** The state that a client sends back with the next round of a call. */
export interface RoundState {
  /** Unique id. */
  readonly id: string;
  /** Digest of the call. The answers are invalid for any other call. */
  readonly call: string;
  /** For each key, the digest of the question and the answer. */
  readonly answers: Readonly<Record<string, readonly [question: string, answer: unknown]>>;
  /** For each key, the digest of the latest question. */
  readonly asked: Readonly<Record<string, string>>;
}

/** The signed part of a state. */
interface SignedState {
  readonly p: RoundState;
  /** Expiry in seconds since 1970. */
  readonly exp: number;
}

const LIFETIME_S = 600;

/**
 * `v1.<JSON in base64url>.<HMAC-SHA256 of everything before in base64url>`, the format of the
 * official SDK 2.x.
 */
const FORMAT = /^(v1\.([\w-]+))\.([\w-]{43})$/;

/**
 * Signs and verifies the state that a client sends back between rounds. A state is valid for ten
 * minutes.
 */
export class RoundStateCodec {
  private readonly key: string | Buffer;

  /** @param secret undefined: a random key, valid in this process */
  constructor(secret: string | undefined) {
    this.key = secret ?? randomBytes(32);
  }

  sign(state: RoundState): string {
    const signed: SignedState = { p: state, exp: nowInSeconds() + LIFETIME_S };
    const text = `v1.${Buffer.from(JSON.stringify(signed)).toString('base64url')}`;
    return `${text}.${this.macOf(text)}`;
  }

  /**
   * Verifies a state.
   * @throws RequestFault if this codec did not sign the state, or the state has expired
   */
  verify(state: unknown): RoundState {
    const [, text, json, mac] = FORMAT.exec(String(state)) ?? [];
    if (text === undefined || json === undefined || mac === undefined) throw invalidState();
    if (!timingSafeEqual(Buffer.from(mac), Buffer.from(this.macOf(text)))) throw invalidState();
    const { p, exp } = JSON.parse(Buffer.from(json, 'base64url').toString()) as SignedState;
    if (exp < nowInSeconds()) throw invalidState();
    return p;
  }

  private macOf(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('base64url');
  }
}

export function invalidState(): RequestFault {
  return new RequestFault(ErrorCode.InvalidParams, 'Invalid or expired requestState', {
    reason: 'invalid_request_state',
  });
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
