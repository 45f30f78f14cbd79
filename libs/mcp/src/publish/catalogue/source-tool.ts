import {
  callback,
  groupIfGiven,
  isObject,
  kind,
  oneOf,
  type OptionTable,
  Place,
  readOptions,
  type ReadOptions,
  rule,
  text,
  texts,
} from '@fledge-internal/options';
import type { Arguments } from '../arguments/picked-arguments.js';
import { jsonOf, type RequestBuilder } from '../arguments/request-builder.js';
import type { JsonSchema } from '../decorators/author-schema.js';
import { McpOptionError, ToolSchemaError } from '../../mcp.errors.js';
import { HTTP_METHODS, milliseconds, scopes } from '../../options/option-rules.js';
import { noMethodRoute } from '../routes/route.js';
import { frozenCopy } from '../schema/json-schema.js';
import type { OperationInput } from '../schema/operation-input.js';
import { publishedFormOf } from '../schema/explicit-schema.js';
import { withoutMarked } from '../schema/marked-properties.js';
import { redactionOf, resultRedactionOf } from '../schema/redaction.js';
import type {
  McpSourceApplication,
  McpSourceRequest,
  McpSourceTool,
  McpToolSource,
} from '../../tool-source.js';
import { ANNOTATIONS } from './decorator-options.js';
import type { CatalogueSetup } from './operation.js';
import type { Tool } from './tool.js';
import { nameTitle } from './name-words.js';
import { assertRedacted } from './redact-check.js';
import { toolHints } from './tool-hints.js';
import { assertToolName } from './tool-name.js';

const REQUEST = {
  method: oneOf(...HTTP_METHODS).required,
  path: text.required,
  accept: text.default('application/json'),
  members: kind<Readonly<Record<string, unknown>>>('an object', isObject).optional,
  argumentsIn: text.optional,
} satisfies OptionTable<McpSourceRequest>;

const TOOL = {
  name: text.required,
  description: text.required,
  place: text.required,
  inputSchema: kind<JsonSchema>('a JSON Schema', isObject).required,
  request: rule((given: McpSourceRequest, place) => readOptions(given, REQUEST, place)),
  title: text.optional,
  annotations: groupIfGiven(ANNOTATIONS),
  timeoutMs: milliseconds.optional,
  scopes: scopes.optional,
  redact: texts.optional,
  tags: texts.optional,
  check: callback<NonNullable<McpSourceTool['check']>>().optional,
  read: callback<NonNullable<McpSourceTool['read']>>().optional,
} satisfies OptionTable<McpSourceTool>;

/** Returns the tools of all sources, in the order of the sources. */
export async function toolsOfSources(
  sources: readonly McpToolSource[],
  application: McpSourceApplication,
): Promise<readonly McpSourceTool[]> {
  const found: McpSourceTool[] = [];
  for (const source of sources) found.push(...(await source.tools(application)));
  return found;
}

/**
 * Builds a tool from a tool source. The tool calls a route that is not a controller method.
 * @throws McpOptionError, ToolNameError, ToolSchemaError
 */
export function sourceToolOf(given: McpSourceTool, setup: CatalogueSetup): Tool {
  const { request } = readOptions(given, TOOL, sourcePlaceOf(given));
  const { name, place, check } = given;
  assertToolName(name, place);
  const input = inputOf(given, setup.warn);
  const accepted = input.accepted ?? input.schema;
  const validate = setup.validatorOf(accepted);
  assertCompiles(given, validate);
  const route = noMethodRoute(place, request.method, request.path);
  const redact = given.redact ?? [];
  assertRedacted({ route, input }, redact, 'the option `redact`');
  return {
    kind: 'tool',
    name,
    title: given.title ?? nameTitle(name),
    description: given.description,
    httpMethod: request.method,
    mountPath: request.path,
    annotations: toolHints(request.method, given.annotations),
    ...setup.extensions.extendTool({
      route,
      inputSchema: input.schema,
      output: undefined,
      content: 'body',
      timeoutMs: given.timeoutMs ?? setup.options.limits.timeoutMs,
      forModels: true,
    }),
    source: given,
    input,
    validate: check ? (args) => validate(args) ?? check((args ?? {}) as Arguments) : validate,
    buildRequest: requestBuilderOf(request),
    redact: redactionOf(accepted, redact),
    redactResult: resultRedactionOf({}, accepted, redact),
    scopes: given.scopes ?? [],
    tags: given.tags ?? [],
  };
}

function sourcePlaceOf(given: Partial<McpSourceTool> | undefined): Place {
  const which = `tool at ${String(given?.place)}`;
  return new Place(
    (message) => new McpOptionError(message),
    (path) => (path === '' ? `The ${which}` : `The option { ${path} } of the ${which}`),
  );
}

function inputOf(
  { inputSchema, place }: McpSourceTool,
  warn: CatalogueSetup['warn'],
): OperationInput {
  if (inputSchema['type'] !== 'object') {
    throw new ToolSchemaError(place, "the inputSchema of a tool must have type: 'object'.");
  }
  const form = publishedFormOf(
    withoutMarked(inputSchema, 'readOnly'),
    `inputSchema of ${place}`,
    warn,
  );
  const { properties } = form.schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  return frozenCopy({
    ...form,
    places: names.map((argument) => ({ argument, target: 'body', name: argument }) as const),
    body: 'fields' as const,
    ...(inputSchema['additionalProperties'] === false ? {} : { rest: 'body' as const }),
  });
}

function assertCompiles({ place }: McpSourceTool, validate: (args: unknown) => unknown): void {
  try {
    validate({});
  } catch (error) {
    throw new ToolSchemaError(
      place,
      `the inputSchema is not a valid JSON Schema (${String(error)}).`,
    );
  }
}

function requestBuilderOf({
  method,
  path,
  accept,
  members = {},
  argumentsIn,
}: ReadOptions<typeof REQUEST>): RequestBuilder {
  // The fields are serialized only once, because they may be long, such as a GraphQL document.
  const start = JSON.stringify(members).slice(0, -1);
  const separator = start === '{' ? '' : ',';
  const bodyOf =
    argumentsIn === undefined
      ? (args: Arguments) => jsonOf({ ...args, ...members })
      : (args: Arguments) => `${start}${separator}${JSON.stringify(argumentsIn)}:${jsonOf(args)}}`;
  return (args) => {
    const body = Buffer.from(bodyOf(args));
    return {
      method,
      url: path,
      headers: [
        'accept',
        accept,
        'content-type',
        'application/json',
        'content-length',
        String(body.length),
      ],
      body,
      version: undefined,
    };
  };
}
