import {
  groupIfGiven,
  listOf,
  type OptionTable,
  type Rule,
  rule,
  text,
  texts,
} from '@fledge-internal/options';
import type { HttpMethod } from '../mcp.definitions.js';
import { auth } from './auth-checks.js';
import type { McpAuthOptions } from './auth-options.js';
import { httpMethods, plainPath } from './option-rules.js';
import { type McpSearchOptions, search } from './search-options.js';
import { type McpServerOptions, SERVER, serverName } from './server-options.js';
import { type McpSessionOptions, SESSIONS } from './session-options.js';

/**
 * One endpoint of several. What it leaves out of `name`, `version` and the other facts about the server,
 * `auth`, `sessions` and `search` is as in the module's options.
 */
export interface McpEndpointOptions extends Partial<McpServerOptions> {
  /** Server version sent to clients. @default that of the module */
  readonly version?: string;
  /** Path of the endpoint, such as `/mcp/admin`. A global prefix does not apply. */
  readonly path: string;
  /**
   * Publishes only what has one of these tags: in `@McpTool({ tags })`, `@McpResource({ tags })` or
   * `@McpPrompt({ tags })`, or else in `@ApiTags` of @nestjs/swagger.
   * @default everything
   */
  readonly tags?: readonly string[];
  /** Publishes only routes with these HTTP methods, in both modes. @default GET, POST, PUT, PATCH, DELETE */
  readonly include?: readonly HttpMethod[];
  /** Leaves out the routes at these paths, in both modes. @default none */
  readonly exclude?: readonly string[];
  /** Bearer authentication of this endpoint. `false`: none, although the module has one. */
  readonly auth?: McpAuthOptions | false;
  /** Sessions of this endpoint, which are counted apart from those of the others. */
  readonly sessions?: McpSessionOptions;
  /** Lists two tools in place of many. `false`: lists every tool, although the module has a search. */
  readonly search?: boolean | McpSearchOptions;
}

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
  search: orFalse(search),
} satisfies OptionTable<McpEndpointOptions>;

/** `false`: not at this endpoint, although the module has it. */
function orFalse<Given, Read>(other: Rule<Given, Read>) {
  return rule((given: Given | false, place): Read | false =>
    given === false ? false : other.read(given, place),
  );
}
