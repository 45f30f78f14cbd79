import type {
  ArgumentValidator,
  ArgumentValidatorCompiler,
} from '../arguments/argument-validator.js';
import { omittedIfNull } from '../arguments/argument-validator.js';
import { type RequestBuilder, requestBuilderOf } from '../arguments/request-builder.js';
import type { McpToolOptions } from '../decorators/mcp-tool.decorator.js';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import type { QueryParser } from '../routes/query-parser.js';
import type { Route } from '../routes/route.js';
import { inputSchemaOf } from '../schema/input-schema.js';
import type { OperationInput } from '../schema/operation-input.js';

/** A route made callable: all a call needs, built once at boot. */
export interface Operation {
  readonly kind: 'tool' | 'resource' | 'prompt' | 'completion';
  /** Name in messages. */
  readonly name: string;
  readonly route: Route;
  readonly input: OperationInput;
  /** Compiles itself on the first call. */
  readonly validate: ArgumentValidator;
  readonly buildRequest: RequestBuilder;
  /** Milliseconds a call may take. */
  readonly timeoutMs: number;
  /** What the caller's token must be good for. */
  readonly scopes: readonly string[];
}

/** What operations are built with: the same for all of an application. */
export interface CatalogueSetup {
  readonly options: ResolvedMcpOptions;
  readonly validatorOf: ArgumentValidatorCompiler;
  /** What the application reads queries with. */
  readonly queryParser: QueryParser;
  /** Takes what could not be read of a route, as a sentence for its author. */
  readonly warn: (warning: string) => void;
  /** The route of another method of the same controller; undefined where it is none. */
  readonly routeOf: (controller: Route['controller'], methodName: string) => Route | undefined;
}

/** What an operation has of its route alone. */
export type Callable = Pick<Operation, 'route' | 'input' | 'validate' | 'buildRequest'>;

/**
 * Makes a route callable.
 * @param tool options of `@McpTool`, where it is a tool
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
    validate: validatorOf(input.schema, omittedIfNull(input)),
    buildRequest: requestBuilderOf({ route, input }, queryParser),
  };
}
