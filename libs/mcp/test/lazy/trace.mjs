// Preloaded: prints the URL of every module that is loaded from here on. `MISSING` names a package that is
// not found, as if it were not installed.
import { register } from 'node:module';

const hooks = `
import { writeSync } from 'node:fs';
let holding;
export function initialize(data) {
  holding = data;
}
export async function resolve(specifier, context, next) {
  if (process.env.MISSING && specifier.startsWith(process.env.MISSING)) {
    throw new Error("Cannot find package '" + specifier + "'");
  }
  return next(specifier, context);
}
export async function load(url, context, next) {
  writeSync(2, 'loaded ' + url + '\\n');
  const loaded = await next(url, context);
  if (Atomics.exchange(holding, 0, 0) === 0) return loaded;
  return { ...loaded, source: 'await globalThis.untilReleased();' + loaded.source };
}`;
const holding = new Int32Array(new SharedArrayBuffer(4));
register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: holding });

/** Holds the next module up while it is evaluated. This must be an ES module. */
globalThis.holdNextModule = () => Atomics.store(holding, 0, 1);

const [held, hold] = promised();
const [released, release] = promised();
globalThis.untilReleased = () => {
  hold();
  return released;
};

/** Resolves when a module is held up. */
globalThis.moduleIsHeld = () => held;

/** Lets the module that is held up go on. */
globalThis.releaseModule = release;

function promised() {
  let resolve;
  return [new Promise((done) => (resolve = done)), () => resolve()];
}
