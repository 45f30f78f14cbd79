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

export const SCRIPTS = scriptsOf(PRELUDE, BODIES);

/** Adds the prelude to each Lua script. Each script is one atomic operation and returns JSON. */
export function scriptsOf<Name extends string>(
  prelude: string,
  bodies: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  const scripts = Object.entries<string>(bodies).map(([name, body]) => [name, prelude + body]);
  return Object.fromEntries(scripts) as Record<Name, string>;
}

/** Returns a list from the result of a script. Needed because Lua encodes an empty list as `{}`. */
export function listOf<Item>(list: unknown): readonly Item[] {
  return Array.isArray(list) ? (list as Item[]) : [];
}
