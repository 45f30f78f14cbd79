// Preloaded: prints the URL of every module that is loaded from here on. `MISSING` begins the names of packages that are
// not found, as if they were not installed.
import { register } from 'node:module';

const hooks = `
import { writeSync } from 'node:fs';
export async function resolve(specifier, context, next) {
  if (process.env.MISSING && specifier.startsWith(process.env.MISSING)) {
    throw new Error("Cannot find package '" + specifier + "'");
  }
  return next(specifier, context);
}
export async function load(url, context, next) {
  writeSync(2, 'loaded ' + url + '\\n');
  return next(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
