import {
  checkedLater,
  flag,
  group,
  isObject,
  kind,
  listOf,
  oneOf,
  type OptionTable,
  readOptions,
  rule,
  text,
  texts,
} from '@fledge-internal/options';
import {
  MCP_PROMPT_METADATA,
  type McpCorePromptOptions,
} from '../decorators/mcp-prompt.decorator.js';
import {
  MCP_RESOURCE_METADATA,
  type McpCoreResourceOptions,
} from '../decorators/mcp-resource.decorator.js';
import { MCP_TOOL_METADATA } from '../decorators/mcp-tool.decorator.js';
import type {
  McpCoreToolOptions,
  McpToolAnnotations,
  McpToolExample,
} from '../../mcp-tool.options.js';
import { milliseconds, placeOf, scopes } from '../../options/option-rules.js';
import type { Route } from '../routes/route.js';
import type { PublishingExtensions } from './publishing-extension.js';

// Checks the options of `@McpTool`, `@McpResource` and `@McpPrompt` at startup. The decorators only
// record them.

type Documented = Pick<Route, 'handler' | 'label'>;

/**
 * Returns a function that checks the options of `@McpTool`, `@McpResource` and `@McpPrompt` on a
 * route. The returned function throws McpOptionError.
 * @param added options that extensions add to the decorators
 */
export function decoratorCheck(added: PublishingExtensions['rules']): (route: Documented) => void {
  const hiddenTool = { ...HIDDEN_TOOL, ...added.tool };
  const decorators = [
    { decorator: 'McpTool', key: MCP_TOOL_METADATA, rules: { ...TOOL, ...added.tool } },
    {
      decorator: 'McpResource',
      key: MCP_RESOURCE_METADATA,
      rules: { ...RESOURCE, ...added.resource },
    },
    {
      decorator: 'McpPrompt',
      key: MCP_PROMPT_METADATA,
      rules: { ...PROMPT, ...added.prompt },
    },
  ];
  return ({ handler, label }) => {
    for (const { decorator, key, rules } of decorators) {
      if (!Reflect.hasMetadata(key, handler)) continue;
      const place = placeOf(`@${decorator}`, ` on ${label}`);
      const given: unknown = Reflect.getMetadata(key, handler);
      readOptions(given, isHidden(given) ? hiddenTool : rules, place);
    }
  };
}

function isHidden(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'hidden' in given && given.hidden === true;
}

const description = rule<string, string>((given, place) => {
  if (typeof given === 'string' && given.trim() !== '') return given;
  throw place.error(
    'is missing. Describe the purpose in a sentence, because agents read descriptions to decide ' +
      'what to use',
  );
});

export const ANNOTATIONS = {
  readOnlyHint: flag.optional,
  destructiveHint: flag.optional,
  idempotentHint: flag.optional,
  openWorldHint: flag.optional,
} satisfies OptionTable<McpToolAnnotations>;

const EXAMPLE = {
  description: text.required,
  args: kind<McpToolExample['args']>('an object', isObject).required,
  result: kind<NonNullable<McpToolExample['result']>>('an object', isObject).optional,
} satisfies OptionTable<McpToolExample>;

const TOOL = {
  description,
  name: text.optional,
  inputSchema: checkedLater,
  outputSchema: checkedLater,
  hidden: flag.default(false),
  examples: listOf(group<McpToolExample, typeof EXAMPLE>(EXAMPLE)).optional,
  title: text.optional,
  annotations: group(ANNOTATIONS),
  tags: texts.optional,
  timeoutMs: milliseconds.optional,
  scopes: scopes.optional,
  content: oneOf('body', 'blocks').default('body'),
  redact: texts.optional,
} satisfies OptionTable<McpCoreToolOptions>;

/** A route that is not a tool needs no description. */
const HIDDEN_TOOL = { ...TOOL, description: text.optional };

const RESOURCE = {
  uri: text.required,
  name: text.optional,
  title: text.optional,
  description: text.optional,
  mimeType: text.optional,
  complete: checkedLater,
  scopes: scopes.optional,
  tags: texts.optional,
  timeoutMs: milliseconds.optional,
} satisfies OptionTable<McpCoreResourceOptions>;

const PROMPT = {
  description,
  name: text.optional,
  title: text.optional,
  complete: checkedLater,
  scopes: scopes.optional,
  tags: texts.optional,
  timeoutMs: milliseconds.optional,
} satisfies OptionTable<McpCorePromptOptions>;
