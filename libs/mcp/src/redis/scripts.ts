import { PRELUDE } from './lua-prelude.js';
import { BEAT, DEPART, RECONCILE } from './process-scripts.js';
import { END, ENTER, FIND, LEAVE, OPEN, SET_LOG_LEVEL } from './session-scripts.js';
import {
  APPEND,
  LISTEN,
  PUBLISH,
  RESUME,
  SUBSCRIBE,
  UNLISTEN,
  UNSUBSCRIBE,
} from './stream-scripts.js';

const BODIES = {
  open: OPEN,
  enter: ENTER,
  leave: LEAVE,
  listen: LISTEN,
  unlisten: UNLISTEN,
  setLogLevel: SET_LOG_LEVEL,
  subscribe: SUBSCRIBE,
  unsubscribe: UNSUBSCRIBE,
  publish: PUBLISH,
  end: END,
  beat: BEAT,
  reconcile: RECONCILE,
  depart: DEPART,
  find: FIND,
  append: APPEND,
  resume: RESUME,
};

export type ScriptName = keyof typeof BODIES;

/** Lua scripts, each one atomic operation. They return JSON. */
export const SCRIPTS: Readonly<Record<ScriptName, string>> = Object.fromEntries(
  Object.entries(BODIES).map(([name, body]) => [name, PRELUDE + body]),
) as Record<ScriptName, string>;

/** A list of a script: Lua writes an empty one as `{}`. */
export function listOf<Item>(list: unknown): readonly Item[] {
  return Array.isArray(list) ? (list as Item[]) : [];
}
