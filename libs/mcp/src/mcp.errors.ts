import { HttpException, HttpStatus } from '@nestjs/common';
import type { ClientFeature } from './mcp.definitions.js';

/**
 * Base class of the errors, except those thrown inside routes. The message says what happened, where, and
 * how to fix it. `code` is stable.
 */
// Not core's FledgeError: applications that only use the decorators do not load core.
export abstract class McpError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}

/**
 * An option is unknown or invalid, or `McpModule` is imported incorrectly. Thrown at boot.
 * @remarks Correct the option that the message names.
 */
export class McpOptionError extends McpError {
  readonly code = 'MCP_BAD_OPTION';
}

/**
 * Two routes, or a route and a tool source, declare one tool name. Thrown at boot.
 * @remarks Give one of the two another name: `@McpTool({ name: '...' })` on a route, the name of the operation in
 * a GraphQL file.
 */
export class DuplicateToolError extends McpError {
  readonly code = 'MCP_DUPLICATE_TOOL';

  constructor(name: string, first: string, second: string) {
    super(
      `Tool "${name}" is declared by ${first} and by ${second}. Give one of them another ` +
        `name, on a route with @McpTool({ name: '...' }).`,
    );
  }
}

/**
 * Two routes declare one resource URI. Thrown at boot.
 * @remarks Give one of the two another URI: `@McpResource({ uri: '...' })`.
 */
export class DuplicateResourceError extends McpError {
  readonly code = 'MCP_DUPLICATE_RESOURCE';

  constructor(uri: string, first: string, second: string) {
    super(
      `Resource "${uri}" is declared by ${first} and by ${second}. Give one of them another URI: @McpResource({ uri: '...' }).`,
    );
  }
}

/**
 * Two routes declare one prompt name. Thrown at boot.
 * @remarks Give one of the two a name: `@McpPrompt({ name: '...' })`.
 */
export class DuplicatePromptError extends McpError {
  readonly code = 'MCP_DUPLICATE_PROMPT';

  constructor(name: string, first: string, second: string) {
    super(
      `Prompt "${name}" is declared by ${first} and by ${second}. Name one of them: @McpPrompt({ name: '...' }).`,
    );
  }
}

/**
 * The URI of an `@McpResource` does not fit its route. Thrown at boot.
 * @remarks Start it with a scheme, and name each required parameter of the route: `tasks://{id}`.
 */
export class ResourceUriError extends McpError {
  readonly code = 'MCP_BAD_RESOURCE_URI';

  constructor(place: string, uri: string, reason: string) {
    super(`@McpResource({ uri: '${uri}' }) on ${place} ${reason}.`);
  }
}

/**
 * `complete` of `@McpResource` or `@McpPrompt` names an unknown parameter, or a method that is not a GET
 * route. Thrown at boot.
 * @remarks Name a parameter of the route, and a method of this controller that is a GET route.
 */
export class CompletionError extends McpError {
  readonly code = 'MCP_BAD_COMPLETION';

  constructor(place: string, parameter: string, reason: string) {
    super(`The completion of "${parameter}" on ${place} ${reason}.`);
  }
}

/**
 * A tool name has characters or a length that clients reject. Thrown at boot.
 * @remarks Set a name of 1 to 64 characters of `A-Za-z0-9_.-`: `@McpTool({ name: '...' })` on a route, the name of
 * the operation, or of its file, for GraphQL.
 */
export class ToolNameError extends McpError {
  readonly code = 'MCP_BAD_TOOL_NAME';

  constructor(name: string, place: string) {
    super(
      `Tool name "${name}" of ${place} must be 1 to 64 characters of A-Z, a-z, 0-9, "_", "-" and ".". ` +
        `Give it another name, on a route with @McpTool({ name: '...' }).`,
    );
  }
}

/**
 * `@McpTool`, `@McpResource` or `@McpPrompt` is on a method that is not a route, or on a route that no call
 * can reach. Thrown at boot.
 * @remarks Move the decorator to a route of a registered controller that takes no file. A resource needs a
 * GET route.
 */
export class NotARouteError extends McpError {
  readonly code = 'MCP_NOT_A_ROUTE';

  constructor(place: string, decorator: string, reason: string) {
    super(`${place} carries ${decorator} but ${reason}.`);
  }
}

/**
 * A schema cannot be published as JSON Schema. Thrown at boot, and by `McpCall.elicit()`.
 * @remarks Change the schema as the message says: use types that JSON has, or set `inputSchema`.
 */
export class ToolSchemaError extends McpError {
  readonly code = 'MCP_BAD_SCHEMA';

  constructor(place: string, reason: string) {
    super(`${place}: ${reason}`);
  }
}

/**
 * A GraphQL operation cannot be a tool: its file is not valid, or it exceeds a limit. Thrown at boot.
 * @remarks Correct the operation at the place that the message names, as file, line and column.
 */
export class GraphqlOperationError extends McpError {
  readonly code = 'MCP_BAD_GRAPHQL_OPERATION';

  /** @param faults sentences that start with their place */
  constructor(faults: readonly string[]) {
    const [first = '', ...others] = faults;
    super(
      others.length === 0
        ? first
        : `${faults.length} faults in GraphQL operations:\n- ${faults.join('\n- ')}`,
    );
  }
}

/**
 * `graphqlOperations()` found no schema, or more than one. Thrown at boot.
 * @remarks Import `GraphqlMountModule` or `GraphQLModule`, name one endpoint with `path`, or pass `schema`.
 */
export class GraphqlEndpointError extends McpError {
  readonly code = 'MCP_NO_GRAPHQL_ENDPOINT';
}

/**
 * The compiler emitted no types for the parameters of a method. Thrown at boot.
 * @remarks Set `emitDecoratorMetadata` in tsconfig.json (swc: `decoratorMetadata`), or pass a schema.
 */
export class ParameterTypesError extends McpError {
  readonly code = 'MCP_NO_PARAMETER_TYPES';

  /** @param decorator `Body` or `Query` */
  constructor(place: string, decorator: string) {
    super(
      `${place}: the compiler emitted no parameter types, so its arguments are unknown. Set ` +
        'emitDecoratorMetadata in tsconfig.json (swc: decoratorMetadata; esbuild and tsx emit none), ' +
        `or give a schema: @${decorator}({ schema }) or @McpTool({ inputSchema }).`,
    );
  }
}

/**
 * An optional package is used but not installed.
 * @remarks Run the `npm install` command of the message.
 */
export class MissingPeerError extends McpError {
  readonly code = 'MCP_MISSING_PEER';

  constructor(name: string, user: string, cause?: unknown) {
    super(`${user} needs the package "${name}", which is not installed: npm install ${name}`, {
      cause,
    });
  }
}

// Thrown inside routes. They are HTTP exceptions, so the application's exception filters handle them. The filter of
// NestJS 12 sends the code as `errorCode`; that of NestJS 11 does not send it.

/**
 * Ends this run of the route (HTTP status 428). Do not catch it: the client sends its answer with a new
 * request, for which the route runs again from its start. The client is asked even if a filter replaces
 * this exception. See MCP 2026-07-28, multi round-trip requests.
 * @remarks Let it pass: do not catch it, or throw it again.
 */
export class McpInputRequiredError extends HttpException {
  readonly code = 'MCP_INPUT_REQUIRED';

  constructor(key: string) {
    super(
      `The client was asked for "${key}"; the route runs again with its answer.`,
      HttpStatus.PRECONDITION_REQUIRED,
      { errorCode: 'MCP_INPUT_REQUIRED' },
    );
  }
}

/**
 * The client did not declare the capability that a question requires (HTTP status 501). Check with
 * `McpCall.supports()` first.
 * @remarks Check `McpCall.supports()` before you ask, and offer another way.
 */
export class McpClientCapabilityError extends HttpException {
  readonly code = 'MCP_MISSING_CAPABILITY';

  constructor(feature: ClientFeature) {
    super(`This needs a client that supports ${feature}.`, HttpStatus.NOT_IMPLEMENTED, {
      errorCode: 'MCP_MISSING_CAPABILITY',
    });
  }
}

/**
 * The client answered a question with an error, with invalid content, or too late (HTTP status 422).
 * @remarks Ask again with another call, or return an error that says what was expected.
 */
export class McpClientAnswerError extends HttpException {
  readonly code = 'MCP_BAD_ANSWER';

  constructor(feature: ClientFeature, reason: string) {
    super(
      `The client's answer to ${feature} is of no use: ${reason}`,
      HttpStatus.UNPROCESSABLE_ENTITY,
      { errorCode: 'MCP_BAD_ANSWER' },
    );
  }
}

/**
 * An argument cannot be written into a request. Not exported and without a code: the dispatcher catches it
 * and sends its message to the client.
 */
export class ArgumentError extends Error {
  constructor(argument: string, reason: string) {
    super(`Argument "${argument}" ${reason}.`);
    this.name = 'ArgumentError';
  }
}
