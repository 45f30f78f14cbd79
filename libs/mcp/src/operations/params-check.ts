import type { JsonSchema } from '../decorators/author-schema.js';
import { LOG_LEVELS } from '../calls/peer.js';
import type {
  ArgumentValidator,
  ArgumentValidatorCompiler,
} from '../arguments/argument-validator.js';
import type { JsonObject } from '../messages/json-rpc.js';

/** Describes what is wrong with the parameters of a request; undefined if they are valid. */
export type ParamsCheck = (request: {
  readonly method: string;
  readonly params?: JsonObject | undefined;
}) => string | undefined;

/**
 * Checks parameters before the SDKs do, because their error messages are raw validator output.
 * @param methods the served methods; parameters of other methods are not checked
 */
export function paramsCheck(
  validatorOf: ArgumentValidatorCompiler,
  methods: Iterable<string>,
): ParamsCheck {
  const validators = new Map<string, ArgumentValidator>();
  for (const method of methods) {
    const schema = PARAMS[method];
    if (schema) validators.set(method, validatorOf(schema));
  }
  return ({ method, params }) => {
    const fault = validators.get(method)?.(params);
    return fault === undefined ? undefined : `Invalid parameters of ${method}: ${fault}`;
  };
}

const TEXT = { type: 'string' };

const OBJECT = { type: 'object' };

const TEXTS = { type: 'object', additionalProperties: TEXT };

/** Schema of an object with these required and optional properties. */
function object(required: JsonSchema, optional: JsonSchema = {}): JsonSchema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
  };
}

const params = (required: JsonSchema, optional?: JsonSchema) =>
  object(required, { _meta: OBJECT, ...optional });

const LIST = params({}, { cursor: TEXT });

const URI = params({ uri: TEXT });

/**
 * Schemas of parameters by method, valid for MCP 2025-11-25 and 2026-07-28. Unknown parameters are
 * accepted.
 */
const PARAMS: Readonly<Record<string, JsonSchema>> = {
  initialize: params({
    protocolVersion: TEXT,
    capabilities: OBJECT,
    clientInfo: object({ name: TEXT, version: TEXT }),
  }),
  'tools/list': LIST,
  'tools/call': params({ name: TEXT }, { arguments: OBJECT, task: OBJECT }),
  'resources/list': LIST,
  'resources/templates/list': LIST,
  'resources/read': URI,
  'resources/subscribe': URI,
  'resources/unsubscribe': URI,
  'prompts/list': LIST,
  'prompts/get': params({ name: TEXT }, { arguments: TEXTS }),
  'completion/complete': params(
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
  'logging/setLevel': params({ level: { enum: LOG_LEVELS } }),
};
