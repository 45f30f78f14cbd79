import { HttpException, HttpStatus } from '@nestjs/common';
import type { ClientFeature } from './mcp.definitions.js';

/** What every error of this package is: a fact, its place and a cure, under a stable `code`. */
export abstract class McpError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}

/** An option has a value that can never work. Thrown at boot. */
export class McpOptionError extends McpError {
  readonly code = 'MCP_BAD_OPTION';
}

/** Two routes ask for one tool name. Thrown at boot, so no client ever meets it. */
export class DuplicateToolError extends McpError {
  readonly code = 'MCP_DUPLICATE_TOOL';

  constructor(name: string, first: string, second: string) {
    super(
      `Tool "${name}" is declared by ${first} and by ${second}. Name one of them: @McpTool({ name: '...' }).`,
    );
  }
}

/** Two routes ask for one resource URI. Thrown at boot. */
export class DuplicateResourceError extends McpError {
  readonly code = 'MCP_DUPLICATE_RESOURCE';

  constructor(uri: string, first: string, second: string) {
    super(
      `Resource "${uri}" is declared by ${first} and by ${second}. Give one of them another URI: @McpResource({ uri: '...' }).`,
    );
  }
}

/** Two routes ask for one prompt name. Thrown at boot. */
export class DuplicatePromptError extends McpError {
  readonly code = 'MCP_DUPLICATE_PROMPT';

  constructor(name: string, first: string, second: string) {
    super(
      `Prompt "${name}" is declared by ${first} and by ${second}. Name one of them: @McpPrompt({ name: '...' }).`,
    );
  }
}

/** `@McpResource` names a URI its route cannot be read by. Thrown at boot. */
export class ResourceUriError extends McpError {
  readonly code = 'MCP_BAD_RESOURCE_URI';

  constructor(place: string, uri: string, reason: string) {
    super(`@McpResource({ uri: '${uri}' }) on ${place} ${reason}.`);
  }
}

/** `complete` of `@McpResource` or `@McpPrompt` names what cannot complete. Thrown at boot. */
export class CompletionError extends McpError {
  readonly code = 'MCP_BAD_COMPLETION';

  constructor(place: string, parameter: string, reason: string) {
    super(`The completion of "${parameter}" on ${place} ${reason}.`);
  }
}

/** A tool name that clients refuse. Thrown at boot. */
export class ToolNameError extends McpError {
  readonly code = 'MCP_BAD_TOOL_NAME';

  constructor(name: string, place: string) {
    super(
      `Tool name "${name}" of ${place} must be 1 to 64 characters of A-Z, a-z, 0-9, "_", "-" and ".". ` +
        `Set another one: @McpTool({ name: '...' }).`,
    );
  }
}

/** `@McpTool` or its like stands on a method that is no route, or on one that no call can reach. Thrown at boot. */
export class NotARouteError extends McpError {
  readonly code = 'MCP_NOT_A_ROUTE';

  constructor(place: string, decorator: string, reason: string) {
    super(`${place} carries ${decorator} but ${reason}.`);
  }
}

/** A schema that cannot be published as JSON Schema. Thrown at boot. */
export class ToolSchemaError extends McpError {
  readonly code = 'MCP_BAD_SCHEMA';

  constructor(place: string, reason: string) {
    super(`${place}: ${reason}`);
  }
}

/** The compiler emitted no types for the parameters of a method. Thrown at boot. */
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

/** An optional package is used but not installed. */
export class MissingPeerError extends McpError {
  readonly code = 'MCP_MISSING_PEER';

  constructor(name: string, user: string, cause?: unknown) {
    super(`${user} needs the package "${name}", which is not installed: npm install ${name}`, {
      cause,
    });
  }
}

// Thrown inside of routes: as HTTP exceptions they pass the application's filters like its own.

/**
 * The answer comes with another request (2026-07-28, multi round-trip requests): this one ends here,
 * whatever is made of the exception, and the route runs again from its start. Let it through.
 */
export class McpInputRequiredError extends HttpException {
  constructor(key: string) {
    super(
      `The client was asked for "${key}"; the route runs again with its answer.`,
      HttpStatus.PRECONDITION_REQUIRED,
    );
  }
}

/** The client did not declare the capability a question needs. Ask `call.supports()` before. */
export class McpClientCapabilityError extends HttpException {
  constructor(feature: ClientFeature) {
    super(`This needs a client that supports ${feature}.`, HttpStatus.NOT_IMPLEMENTED);
  }
}

/** The client answered a question with an error, out of form, or not in time. */
export class McpClientAnswerError extends HttpException {
  constructor(feature: ClientFeature, reason: string) {
    super(
      `The client's answer to ${feature} is of no use: ${reason}`,
      HttpStatus.UNPROCESSABLE_ENTITY,
    );
  }
}

/** An argument that cannot become part of a request. The message is for the client. */
export class ArgumentError extends Error {
  constructor(argument: string, reason: string) {
    super(`Argument "${argument}" ${reason}.`);
    this.name = 'ArgumentError';
  }
}
