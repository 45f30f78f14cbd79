// Makes one package look as if it were not installed.
import { register } from 'node:module';

const hooks = `export async function resolve(specifier, context, next) {
  if (!${JSON.stringify(process.env.WITHOUT.split(','))}.includes(specifier)) return next(specifier, context);
  const error = new Error("Cannot find package '" + specifier + "' imported from " + context.parentURL);
  throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
