// Preloaded: prints the URL of every module that is loaded from here on. `MISSING` names a package that is
// not found, as if it were not installed.
import { register } from 'node:module';
import { setImmediate } from 'node:timers/promises';

const [GOES_ON, HOLD_NEXT, HELD] = [0, 1, 2];

const hooks = `
import { writeSync } from 'node:fs';
let gate;
export function initialize(data) {
  gate = data;
}
export async function resolve(specifier, context, next) {
  if (process.env.MISSING && specifier.startsWith(process.env.MISSING)) {
    throw new Error("Cannot find package '" + specifier + "'");
  }
  return next(specifier, context);
}
export async function load(url, context, next) {
  writeSync(2, 'loaded ' + url + '\\n');
  if (Atomics.compareExchange(gate, 0, ${HOLD_NEXT}, ${HELD}) === ${HOLD_NEXT}) Atomics.wait(gate, 0, ${HELD});
  return next(url, context);
}`;
const gate = new Int32Array(new SharedArrayBuffer(4));
register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: gate });

/** Holds the next module up while it is loaded. */
globalThis.holdNextModule = () => Atomics.store(gate, 0, HOLD_NEXT);

/** Resolves when a module is held up. */
globalThis.moduleIsHeld = async () => {
  while (Atomics.load(gate, 0) !== HELD) await setImmediate();
};

/** Lets the module that is held up go on. */
globalThis.releaseModule = () => {
  Atomics.store(gate, 0, GOES_ON);
  Atomics.notify(gate, 0);
};
