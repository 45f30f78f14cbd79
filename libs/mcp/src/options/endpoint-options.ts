import {
  groupIfGiven,
  listOf,
  type OptionTable,
  type Rule,
  rule,
  text,
  texts,
} from '@fledge-internal/options';
import type { McpCoreEndpointOptions } from '../mcp.options.js';
import { auth } from './auth-checks.js';
import { httpMethods, plainPath } from './option-rules.js';
import { SERVER, serverName } from './server-options.js';
import { SESSIONS } from './session-options.js';

export const ENDPOINT = {
  ...SERVER,
  name: serverName.optional,
  version: text.optional,
  path: plainPath.required,
  tags: listOf(text.required, 1).optional,
  include: httpMethods,
  exclude: texts.default([]),
  auth: orFalse(auth),
  sessions: groupIfGiven(SESSIONS),
} satisfies OptionTable<McpCoreEndpointOptions>;

/** Adds the value `false`, which disables the module's option at this endpoint. */
function orFalse<Given, Read>(other: Rule<Given, Read>) {
  return rule((given: Given | false, place): Read | false =>
    given === false ? false : other.read(given, place),
  );
}
