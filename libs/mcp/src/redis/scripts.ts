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

/** Lua scripts that begin with a prelude, each one atomic operation. They return JSON. */
export function scriptsOf<Name extends string>(
  prelude: string,
  bodies: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  const scripts = Object.entries<string>(bodies).map(([name, body]) => [name, prelude + body]);
  return Object.fromEntries(scripts) as Record<Name, string>;
}

/** A list of a script: Lua writes an empty one as `{}`. */
export function listOf<Item>(list: unknown): readonly Item[] {
  return Array.isArray(list) ? (list as Item[]) : [];
}
