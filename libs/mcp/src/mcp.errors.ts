import { HttpException, HttpStatus } from '@nestjs/common';
import type { ClientFeature } from './mcp.definitions.js';

/**
 * Base class of all errors that are not thrown inside routes. The message says what happened,
 * where, and how to fix it. The value of `code` never changes.
 */
// This class does not extend core's FledgeError, so applications that use only decorators do not
// load core.
export abstract class McpError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}

/**
 * An option is unknown or invalid, a decorator is on a method twice, or `McpModule` is imported
 * incorrectly. Thrown at startup.
 * @remarks Correct what the message names.
 */
export class McpOptionError extends McpError {
  readonly code = 'MCP_BAD_OPTION';
}

/**
 * Two routes, or a route and a tool source, declare the same tool name. Thrown at startup.
 * @remarks Rename one of the tools. For a route, use `@McpTool({ name: '...' })`. For a GraphQL
 * file, rename the operation.
 */
export class DuplicateToolError extends McpError {
  readonly code = 'MCP_DUPLICATE_TOOL';

  constructor(name: string, first: string, second: string) {
    super(
      `Tool "${name}" is declared by ${first} and by ${second}. Give one of them another name. ` +
        `For a route, use @McpTool({ name: '...' }).`,
    );
  }
}

/**
 * Two routes declare the same resource URI. Thrown at startup.
 * @remarks Change one of the URIs: `@McpResource({ uri: '...' })`.
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
 * Two routes declare the same prompt name. Thrown at startup.
 * @remarks Rename one of the prompts: `@McpPrompt({ name: '...' })`.
 */
export class DuplicatePromptError extends McpError {
  readonly code = 'MCP_DUPLICATE_PROMPT';

  constructor(name: string, first: string, second: string) {
    super(
      `Prompt "${name}" is declared by ${first} and by ${second}. Give one of them another name: @McpPrompt({ name: '...' }).`,
    );
  }
}

/**
 * The URI of an `@McpResource` does not match the route. Thrown at startup.
 * @remarks Start the URI with a scheme, and include each required parameter of the route:
 * `tasks://{id}`.
 */
export class ResourceUriError extends McpError {
  readonly code = 'MCP_BAD_RESOURCE_URI';

  constructor(place: string, uri: string, reason: string) {
    super(`@McpResource({ uri: '${uri}' }) on ${place} ${reason}.`);
  }
}

/**
 * The option `complete` of `@McpResource` or `@McpPrompt` contains an unknown parameter, or a
 * method that is not a GET route. Thrown at startup.
 * @remarks Use a parameter of the route as the key, and a method of the same controller as the
 * value. The method must be a GET route.
 */
export class CompletionError extends McpError {
  readonly code = 'MCP_BAD_COMPLETION';

  constructor(place: string, parameter: string, reason: string) {
    super(`The \`complete\` entry "${parameter}" on ${place} ${reason}.`);
  }
}

/**
 * A tool name has invalid characters or is too long. Clients would reject the tool. Thrown at
 * startup.
 * @remarks Use 1 to 64 characters of `A-Za-z0-9_.-`. For a route, set `@McpTool({ name: '...' })`.
 * For GraphQL, rename the operation or its file.
 */
export class ToolNameError extends McpError {
  readonly code = 'MCP_BAD_TOOL_NAME';

  constructor(name: string, place: string) {
    super(
      `Tool name "${name}" of ${place} is invalid. A tool name must have 1 to 64 characters of ` +
        'A-Z, a-z, 0-9, "_", "-" and ".". Give the tool another name. For a route, use ' +
        `@McpTool({ name: '...' }).`,
    );
  }
}

/**
 * `@McpTool`, `@McpResource` or `@McpPrompt` is on a method that is not a route, or on a route that
 * no call can reach. Thrown at startup.
 * @remarks Move the decorator to a route that does not accept files. Register the controller of the
 * route in a module. A resource needs a GET route.
 */
export class NotARouteError extends McpError {
  readonly code = 'MCP_NOT_A_ROUTE';

  constructor(place: string, decorator: string, reason: string) {
    super(`${place} has ${decorator} but ${reason}.`);
  }
}

/**
 * A schema cannot be published as JSON Schema. Thrown at startup, and by `McpCall.elicit()`.
 * @remarks Change the schema as the message says: use types that JSON supports, or set
 * `inputSchema`.
 */
export class ToolSchemaError extends McpError {
  readonly code = 'MCP_BAD_SCHEMA';

  constructor(place: string, reason: string) {
    super(`${place}: ${reason}`);
  }
}

/**
 * A GraphQL operation cannot become a tool. The file of the operation is invalid, or the operation
 * exceeds a limit. Thrown at startup.
 * @remarks Correct the operation at the file, line and column in the message.
 */
export class GraphqlOperationError extends McpError {
  readonly code = 'MCP_BAD_GRAPHQL_OPERATION';

  /** @param faults sentences. Each begins with the location of the fault */
  constructor(faults: readonly string[]) {
    const [first = '', ...others] = faults;
    super(
      others.length === 0
        ? first
        : `${faults.length} problems in GraphQL operations:\n- ${faults.join('\n- ')}`,
    );
  }
}

/**
 * `graphqlOperations()` found no schema, or more than one schema. Thrown at startup.
 * @remarks Import `GraphqlMountModule` or `GraphQLModule`, select one endpoint with `path`, or pass
 * `schema`.
 */
export class GraphqlEndpointError extends McpError {
  readonly code = 'MCP_NO_GRAPHQL_ENDPOINT';
}

/**
 * The compiler emitted no types for the parameters of a method. Thrown at startup.
 * @remarks Set `emitDecoratorMetadata` in tsconfig.json (swc: `decoratorMetadata`), or pass a
 * schema.
 */
export class ParameterTypesError extends McpError {
  readonly code = 'MCP_NO_PARAMETER_TYPES';

  /** @param decorator `Body` or `Query` */
  constructor(place: string, decorator: string) {
    super(
      `${place}: the compiler emitted no parameter types, so the arguments are unknown. Set ` +
        'emitDecoratorMetadata in tsconfig.json (swc: decoratorMetadata; esbuild and tsx emit ' +
        `no types), or pass a schema: @${decorator}({ schema }) or @McpTool({ inputSchema }).`,
    );
  }
}

/**
 * The application uses an optional package that is not installed.
 * @remarks Run the `npm install` command in the message.
 */
export class MissingPeerError extends McpError {
  readonly code = 'MCP_MISSING_PEER';

  constructor(name: string, user: string, cause?: unknown) {
    super(`${user} needs the package "${name}", which is not installed: npm install ${name}`, {
      cause,
    });
  }
}

// Errors thrown inside routes. They are HTTP exceptions, so the application's exception filters
// handle them. NestJS 12 sends `code` to clients as `errorCode`. NestJS 11 does not send `code`.

/**
 * Ends this run of the route, because the route needs an answer from the client (HTTP status 428).
 * Do not catch this error. The client sends the answer with a new request, and the route runs again
 * from the start. This also works if an exception filter replaces the error. See MCP 2026-07-28,
 * multi round-trip requests.
 * @remarks Do not catch this error. If your code catches all errors, throw this one again.
 */
export class McpInputRequiredError extends HttpException {
  readonly code = 'MCP_INPUT_REQUIRED';

  constructor(key: string) {
    super(
      `The client was asked the question "${key}". The route runs again when the client answers.`,
      HttpStatus.PRECONDITION_REQUIRED,
      { errorCode: 'MCP_INPUT_REQUIRED' },
    );
  }
}

/**
 * A question to the client requires a capability that the client did not declare (HTTP status 501).
 * @remarks Check `McpCall.supports()` before you ask, and offer an alternative.
 */
export class McpClientCapabilityError extends HttpException {
  readonly code = 'MCP_MISSING_CAPABILITY';

  constructor(feature: ClientFeature) {
    super(`This call requires a client that supports ${feature}.`, HttpStatus.NOT_IMPLEMENTED, {
      errorCode: 'MCP_MISSING_CAPABILITY',
    });
  }
}

/**
 * The client's answer to a question is an error, has invalid content, or came too late (HTTP status
 * 422).
 * @remarks Ask again with another call, or return an error that says which answer was expected.
 */
export class McpClientAnswerError extends HttpException {
  readonly code = 'MCP_BAD_ANSWER';

  constructor(feature: ClientFeature, reason: string) {
    super(
      `The client's answer to ${feature} cannot be used: ${reason}`,
      HttpStatus.UNPROCESSABLE_ENTITY,
      { errorCode: 'MCP_BAD_ANSWER' },
    );
  }
}

/**
 * An argument cannot be written into a request. This error is not exported and has no code, because
 * the dispatcher catches the error and sends the message to the client.
 */
export class ArgumentError extends Error {
  constructor(argument: string, reason: string) {
    super(`Argument "${argument}" ${reason}.`);
    this.name = 'ArgumentError';
  }
}
