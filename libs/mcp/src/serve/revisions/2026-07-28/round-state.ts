import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ErrorCode, RequestFault } from '../../protocol/json-rpc.js';

/** The client sends the state back with the next round. */
export interface RoundState {
  readonly id: string;
  /** Digest of the call. The answers are valid only for this call. */
  readonly call: string;
  /** Answers, each with the digest of its question, by question key. */
  readonly answers: Readonly<Record<string, readonly [question: string, answer: unknown]>>;
  /** Digest of the latest question, by question key. */
  readonly asked: Readonly<Record<string, string>>;
}

interface SignedState {
  readonly p: RoundState;
  /** Time at which the state expires, in seconds since 1970. */
  readonly exp: number;
}

const LIFETIME_S = 600;

/**
 * A state has three parts: `v1`, JSON in base64url, and an HMAC-SHA256 in base64url. The HMAC signs
 * the first two parts. The official SDK 2.x uses the same format.
 */
const FORMAT = /^(v1\.([\w-]+))\.([\w-]{43})$/;

/** A state is valid for ten minutes. */
export class RoundStateCodec {
  private readonly key: string | Buffer;

  /** @param secret key of the signature. If undefined, states are valid only in this process */
  constructor(secret: string | undefined) {
    this.key = secret ?? randomBytes(32);
  }

  sign(state: RoundState): string {
    const signed: SignedState = { p: state, exp: nowInSeconds() + LIFETIME_S };
    const text = `v1.${Buffer.from(JSON.stringify(signed)).toString('base64url')}`;
    return `${text}.${this.macOf(text)}`;
  }

  /** @throws RequestFault if the signature is wrong or the state has expired */
  verify(state: unknown): RoundState {
    const [, text, json, mac] = (typeof state === 'string' && FORMAT.exec(state)) || [];
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
