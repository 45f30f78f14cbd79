import type { JsonSchema } from '../../publish/decorators/author-schema.js';
import { LOG_LEVELS } from '../call/peer.js';
import type {
  ArgumentValidator,
  ArgumentValidatorCompiler,
} from '../../publish/arguments/argument-validator.js';
import type { JsonObject } from '../protocol/json-rpc.js';

/** Returns the problem if the parameters of a request are invalid. Otherwise returns undefined. */
export type ParamsCheck = (request: {
  readonly method: string;
  readonly params?: JsonObject | undefined;
}) => string | undefined;

/**
 * @param methods the methods to check. The parameters of other methods are not checked
 * @param added schemas by method
 */
export function paramsCheck(
  validatorOf: ArgumentValidatorCompiler,
  methods: Iterable<string>,
  added: ReadonlyMap<string, JsonSchema>,
): ParamsCheck {
  const validators = new Map<string, ArgumentValidator>();
  for (const method of methods) {
    const schema = added.get(method) ?? PARAMS[method];
    if (schema) validators.set(method, validatorOf(schema, OMITTED_IF_NULL));
  }
  return ({ method, params }) => {
    const fault = validators.get(method)?.(params);
    return fault === undefined ? undefined : `Invalid parameters of ${method}: ${fault}`;
  };
}

/** Returns the problem if the client's answer is invalid. Otherwise returns undefined. */
export type AnswerCheck = (method: string, answer: JsonObject | undefined) => string | undefined;

export function answerCheck(validatorOf: ArgumentValidatorCompiler): AnswerCheck {
  const validators = new Map(
    Object.entries(ANSWERS).map(([method, schema]) => [method, validatorOf(schema)]),
  );
  return (method, answer) => validators.get(method)?.(answer);
}

const TEXT = { type: 'string' };

const OBJECT = { type: 'object' };

const TEXTS = { type: 'object', additionalProperties: TEXT };

function object(required: JsonSchema, optional: JsonSchema = {}): JsonSchema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
  };
}

/** Returns the schema of a request's parameters, which may include `_meta`. */
export function paramsSchema(required: JsonSchema, optional?: JsonSchema): JsonSchema {
  return object(required, { _meta: OBJECT, ...optional });
}

const LIST = paramsSchema({}, { cursor: TEXT });

const URI = paramsSchema({ uri: TEXT });

/**
 * Optional parameters for which some clients send null. Servers of the Python SDK accept null there.
 */
const OMITTED_IF_NULL: ReadonlySet<string> = new Set(['arguments', 'cursor']);

/** They are the same in MCP 2025-11-25 and 2026-07-28. Unknown parameters are accepted. */
const PARAMS: Readonly<Record<string, JsonSchema>> = {
  initialize: paramsSchema({
    protocolVersion: TEXT,
    capabilities: OBJECT,
    clientInfo: object({ name: TEXT, version: TEXT }),
  }),
  'tools/list': LIST,
  'tools/call': paramsSchema({ name: TEXT }, { arguments: OBJECT }),
  'resources/list': LIST,
  'resources/templates/list': LIST,
  'resources/read': URI,
  'resources/subscribe': URI,
  'resources/unsubscribe': URI,
  'prompts/list': LIST,
  'prompts/get': paramsSchema({ name: TEXT }, { arguments: TEXTS }),
  'completion/complete': paramsSchema(
    {
      ref: {
        ...OBJECT,
        properties: { type: { enum: ['ref/prompt', 'ref/resource'] }, name: TEXT, uri: TEXT },
        required: ['type'],
        if: { properties: { type: { const: 'ref/prompt' } } },
        then: { required: ['name'] },
        else: { required: ['uri'] },
      },
      argument: object({ name: TEXT, value: TEXT }),
    },
    { context: object({}, { arguments: TEXTS }) },
  ),
  'logging/setLevel': paramsSchema({ level: { enum: LOG_LEVELS } }),
};

const CONTENT_BLOCK = object({ type: TEXT });

/** Schemas of answers, by the method of the question. Unknown fields are accepted. */
const ANSWERS: Readonly<Record<string, JsonSchema>> = {
  'elicitation/create': object(
    { action: { enum: ['accept', 'decline', 'cancel'] } },
    { content: { type: ['object', 'null'] } },
  ),
  'sampling/createMessage': object({
    role: { enum: ['user', 'assistant'] },
    // One content block or several (MCP 2025-11-25, `SamplingMessage`).
    content: { anyOf: [CONTENT_BLOCK, { type: 'array', items: CONTENT_BLOCK }] },
    model: TEXT,
  }),
  'roots/list': object({
    roots: { type: 'array', items: object({ uri: { ...TEXT, pattern: '^file://' } }) },
  }),
};
