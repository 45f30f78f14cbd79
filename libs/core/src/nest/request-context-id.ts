import { REQUEST_CONTEXT_ID } from '@nestjs/core/router/request/request-constants.js';

/** Whether Nest, or we, already gave the request its subtree of request-scoped providers. */
export function hasContextId(request: object): boolean {
  return REQUEST_CONTEXT_ID in request;
}

/** Ties a request to its subtree of request-scoped providers, the way Nest's router does. */
export function setContextId(request: object, contextId: object): void {
  Object.defineProperty(request, REQUEST_CONTEXT_ID, { value: contextId });
}
