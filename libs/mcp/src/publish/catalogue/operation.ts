import type {
  ArgumentValidator,
  ArgumentValidatorCompiler,
} from '../arguments/argument-validator.js';
import { omittedIfNull } from '../arguments/argument-validator.js';
import { type RequestBuilder, requestBuilderOf } from '../arguments/request-builder.js';
import type { PublishingExtensions } from './publishing-extension.js';
import type { McpToolOptions } from '../../mcp-tool.options.js';
import type { ResolvedMcpOptions } from '../../mcp.defaults.js';
import type { QueryParser } from '../routes/query-parser.js';
import type { Route } from '../routes/route.js';
import { argumentFor } from '../schema/argument-names.js';
import { inputSchemaOf } from '../schema/input-schema.js';
import { type Redaction, redactionOf } from '../schema/redaction.js';
import type { OperationInput } from '../schema/operation-input.js';

/** A callable route, and everything that a call needs. Built once at startup. */
export interface Operation {
  readonly kind: 'tool' | 'resource' | 'prompt' | 'completion';
  /** Name of the operation in messages. */
  readonly name: string;
  readonly route: Route;
  readonly input: OperationInput;
  /** The validator is compiled on the first call. */
  readonly validate: ArgumentValidator;
  readonly buildRequest: RequestBuilder;
  /** Copies arguments and leaves out secrets. Used for call records. */
  readonly redact: Redaction;
  /** Timeout of a call in milliseconds. */
  readonly timeoutMs: number;
  /** OAuth scopes that the caller needs. */
  readonly scopes: readonly string[];
  /** Endpoints select the operation by these tags. */
  readonly tags: readonly string[];
}

/** Settings shared by all operations of an application. */
export interface CatalogueSetup {
  readonly options: ResolvedMcpOptions;
  readonly extensions: PublishingExtensions;
  readonly validatorOf: ArgumentValidatorCompiler;
  /** The application's query string parser. */
  readonly queryParser: QueryParser;
  /** Reports a problem with a route to the developer, as a full sentence. */
  readonly warn: (warning: string) => void;
  /** Finds the route of a controller method. Returns undefined if the method is not a route. */
  readonly routeOf: (controller: Route['controller'], methodName: string) => Route | undefined;
}

/** The part of an operation that depends only on its route. */
export type Callable = Pick<Operation, 'route' | 'input' | 'validate' | 'buildRequest' | 'redact'>;

/**
 * Builds the callable part of an operation.
 * @param tool options of `@McpTool`, if the route has them
 */
export function callableOf(
  route: Route,
  { validatorOf, queryParser, warn }: CatalogueSetup,
  tool?: McpToolOptions,
): Callable {
  const input = inputSchemaOf(route, tool, warn);
  return {
    route,
    input,
    validate: validatorOf(input.accepted ?? input.schema, omittedIfNull(input)),
    buildRequest: requestBuilderOf({ route, input }, queryParser),
    redact: redactionOf(input.accepted ?? input.schema, redactedArguments(input, tool)),
  };
}

/** Converts each path in `redact` to the name of an argument. */
export function redactedArguments(
  input: OperationInput,
  tool: McpToolOptions | undefined,
): readonly string[] {
  return (tool?.redact ?? []).map((path) => {
    const [name = '', ...below] = path.split('.');
    return [argumentFor(input, name), ...below].join('.');
  });
}
