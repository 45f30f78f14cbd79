import { REQUEST_CONTEXT_ID } from '@nestjs/core/router/request/request-constants.js';

/** Returns true if Nest or this package has already assigned request-scoped providers. */
export function hasContextId(request: object): boolean {
  return REQUEST_CONTEXT_ID in request;
}

/** Assigns request-scoped providers to a request, as Nest's router does. */
export function setContextId(request: object, contextId: object): void {
  Object.defineProperty(request, REQUEST_CONTEXT_ID, { value: contextId });
}
