import {
  checkedLater,
  checkNames,
  count,
  flag,
  group,
  oneOf,
  type OptionTable,
  Place,
  readOptions,
  rule,
  text,
  texts,
} from '@fledge-internal/options';
import { MCP_PROMPT_METADATA, type McpPromptOptions } from '../decorators/mcp-prompt.decorator.js';
import {
  MCP_RESOURCE_METADATA,
  type McpResourceOptions,
} from '../decorators/mcp-resource.decorator.js';
import {
  MCP_TOOL_METADATA,
  type McpToolAnnotations,
  type McpToolOptions,
  type McpToolTask,
  type McpToolUi,
} from '../decorators/mcp-tool.decorator.js';
import { McpOptionError } from '../mcp.errors.js';
import type { McpPageSettings } from '../options/page-options.js';
import type { Route } from '../routes/route.js';

// The decorators only record, so their options are checked here, at startup.

type Documented = Pick<Route, 'handler' | 'label'>;

/**
 * Checks the names in the options of `@McpTool`, `@McpResource` and `@McpPrompt` on a route, and the values that
 * nothing else checks.
 * @throws McpOptionError
 */
export function refuseBadDecorators({ handler, label }: Documented): void {
  for (const { decorator, key, rules } of DECORATORS) {
    if (!Reflect.hasMetadata(key, handler)) continue;
    const toError = (message: string) => new McpOptionError(message);
    const place = Place.ofCall(toError, `@${decorator}`, ` on ${label}`);
    const given: unknown = Reflect.getMetadata(key, handler);
    readOptions(given, isHidden(given) ? HIDDEN_TOOL : rules, place);
  }
}

function isHidden(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'hidden' in given && given.hidden === true;
}

type Names<Options> = { readonly [Name in keyof Options]-?: true };

/** Checks only the names of an object, in whose place a simple value may stand. */
function namesOf(names: object) {
  return rule<unknown, unknown>((given, place) => {
    if (typeof given === 'object') checkNames(given, Object.keys(names), place);
    return given;
  });
}

const description = rule<string, string>((given, place) => {
  if (typeof given === 'string' && given.trim() !== '') return given;
  throw place.error('is missing. Say in a sentence what it is for: an agent reads it to choose');
});

const ANNOTATIONS = {
  readOnlyHint: flag.optional,
  destructiveHint: flag.optional,
  idempotentHint: flag.optional,
  openWorldHint: flag.optional,
} satisfies OptionTable<McpToolAnnotations>;

const TASK = {
  required: true,
  start: true,
} satisfies Names<McpToolTask>;

const UI = {
  resourceUri: true,
  visibility: true,
} satisfies Names<McpToolUi>;

const PAGE = {
  csp: true,
  permissions: true,
  domain: true,
  prefersBorder: true,
} satisfies Names<McpPageSettings>;

const TOOL = {
  description,
  name: text.optional,
  inputSchema: checkedLater,
  outputSchema: checkedLater,
  hidden: flag.optional,
  examples: checkedLater,
  title: text.optional,
  annotations: group<McpToolAnnotations, typeof ANNOTATIONS>(ANNOTATIONS),
  tags: texts.optional,
  timeoutMs: count.optional,
  task: namesOf(TASK),
  scopes: checkedLater,
  content: oneOf('body', 'blocks').optional,
  result: checkedLater,
  select: checkedLater,
  ui: namesOf(UI),
  headers: checkedLater,
  redact: texts.optional,
} satisfies OptionTable<McpToolOptions>;

/** A route that is no tool needs no description. */
const HIDDEN_TOOL = { ...TOOL, description: text.optional };

const RESOURCE = {
  uri: text.required,
  name: text.optional,
  title: text.optional,
  description: text.optional,
  mimeType: text.optional,
  complete: checkedLater,
  scopes: checkedLater,
  tags: texts.optional,
  ui: namesOf(PAGE),
  timeoutMs: count.optional,
} satisfies OptionTable<McpResourceOptions>;

const PROMPT = {
  description,
  name: text.optional,
  title: text.optional,
  complete: checkedLater,
  scopes: checkedLater,
  tags: texts.optional,
  timeoutMs: count.optional,
} satisfies OptionTable<McpPromptOptions>;

const DECORATORS = [
  { decorator: 'McpTool', key: MCP_TOOL_METADATA, rules: TOOL },
  { decorator: 'McpResource', key: MCP_RESOURCE_METADATA, rules: RESOURCE },
  { decorator: 'McpPrompt', key: MCP_PROMPT_METADATA, rules: PROMPT },
];
