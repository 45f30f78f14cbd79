import { HttpException, HttpStatus } from '@nestjs/common';
import type { ClientFeature } from './call-peer.js';

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
