import type { ClientMessage, JsonRpcResponse } from '../../../protocol/json-rpc.js';
import { PROCESS_AWAY, type Refusal } from '../../../protocol/refusals.js';
import type { McpSharedSessions } from '../../../../options/session-store.js';
import { cancelledBy } from '../session/session-requests.js';
import type { Session } from '../session/session.js';
import { questionOf } from '../session/session-share.js';
import type { StoreReplies } from './store-replies.js';

/** See `SessionRegistry.forward()`. */
export function forward(
  session: Session,
  client: ClientMessage,
  shared: McpSharedSessions,
  replies: StoreReplies,
): Promise<Refusal | true | undefined> {
  return client.kind === 'response'
    ? forwardAnswer(session, client.message, shared, replies)
    : forwardCancellation(session, client, shared, replies);
}

async function forwardAnswer(
  { id }: Session,
  message: JsonRpcResponse,
  shared: McpSharedSessions,
  replies: StoreReplies,
): Promise<Refusal | true | undefined> {
  const asker = message.id === undefined ? undefined : questionOf(message.id)?.process;
  if (asker === undefined || asker === shared.process) return undefined;
  const sent = await replies.of(shared.send(asker, id, { kind: 'answer', message }));
  return sent === false ? PROCESS_AWAY : sent;
}

async function forwardCancellation(
  { id, requests }: Session,
  client: ClientMessage,
  shared: McpSharedSessions,
  replies: StoreReplies,
): Promise<Refusal | true | undefined> {
  const request = cancelledBy(client);
  if (request === undefined || requests.get(request)) return undefined;
  const runner = await replies.of(shared.processOf(id, request));
  if (typeof runner === 'object') return runner;
  if (runner === undefined || runner === shared.process) return undefined;
  const sent = await replies.of(shared.send(runner, id, { kind: 'cancel', request }));
  return typeof sent === 'object' ? sent : true;
}
