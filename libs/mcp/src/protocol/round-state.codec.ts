import { randomBytes } from 'node:crypto';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import type { ClientQuestion } from '../live/call-peer.js';
import type { InputRounds, RoundState } from './input-rounds.js';
import type { JsonObject } from './json-rpc.js';

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

export async function inputRequired(
  demand: readonly ClientQuestion[],
  rounds: InputRounds,
  codec: RoundStateCodec,
): Promise<InputRequired> {
  return {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(
      demand.map(({ key, method, params }) => [key, { method, params }]),
    ),
    requestState: await codec.mint(rounds.nextState),
  };
}
