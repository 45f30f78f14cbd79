import type { Caller } from '../../../call/caller.js';
import { type Refusal, UNKNOWN_EVENT } from '../../../protocol/refusals.js';
import type { Reply } from '../../../protocol/reply.js';
import type { SessionRegistry } from './session-registry.js';
import type { Session } from '../session/session.js';
import { positionOf } from '../streams/event-log.js';

/**
 * Handles a GET. Opens the main stream of a session, or continues a stream after the event in
 * `Last-Event-ID`. A session has one main stream. A new connection takes over the main stream,
 * because a proxy may keep the old connection open after the client has left.
 * @returns the refusal, if there is one
 */
export async function listen(
  session: Session,
  registry: SessionRegistry,
  { origin }: Caller,
  reply: Reply,
): Promise<Refusal | undefined> {
  const { streams } = session;
  const { events } = streams;
  if (!events) return listenOnce(session, registry, reply);
  const last = origin.headers['last-event-id'];
  const position = last === undefined ? undefined : positionOf(String(last));
  if (last !== undefined && !position) return UNKNOWN_EVENT;
  if (position && position.stream !== events.main) return events.resume(position, reply);
  return events.listen(reply, position?.seq, async () => {
    const listening = await registry.listen(session, position?.seq);
    if ('status' in listening) return listening;
    // The client's event does not exist yet. Continuing after this event would skip the events
    // before it.
    if (position && position.seq > listening.seq) return UNKNOWN_EVENT;
    if (reply.isOpen) streams.listen(reply);
    else streams.unlisten();
    return listening;
  });
}

async function listenOnce(
  session: Session,
  registry: SessionRegistry,
  reply: Reply,
): Promise<Refusal | undefined> {
  const { streams } = session;
  const listening = await registry.listen(session, undefined);
  if ('status' in listening) return listening;
  if (reply.isOpen) streams.listen(reply);
  else if (!streams.isListening) streams.unlisten();
  return undefined;
}
