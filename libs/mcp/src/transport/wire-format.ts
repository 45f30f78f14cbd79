import { eventJson, eventText } from '@fledge/core/packages';
import type { BodyParts } from '../messages/reply.js';

// JSON and events are always UTF-8, but some programs read Latin-1 if no charset is given.

export const JSON_TYPE = 'application/json; charset=utf-8';

const BEFORE = 'event: message\ndata: ';
const BEHIND = '\n\n';

export function eventOf(json: string): string {
  return eventText('message', json);
}

/** Returns the parts of an event. Parts in bytes are lists, which are stored as JSON for events. */
export function eventParts(json: BodyParts): BodyParts {
  if (json.length === 1) return [eventOf(String(json[0]))];
  const parts = json.map((part) => (typeof part === 'string' ? eventJson(part) : part));
  return [BEFORE, ...parts, BEHIND];
}
