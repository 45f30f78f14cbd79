import { type ContextId, ContextIdFactory, type ModuleRef } from '@nestjs/core';
import { hasContextId, setContextId } from '../nest/request-context-id.js';

/**
 * The id under which Nest keeps the request-scoped providers of a request. It is the id that Nest's
 * router made or will find, so each provider has one instance for the request.
 */
export function contextIdOf(req: object, moduleRef: ModuleRef): ContextId {
  const contextId = ContextIdFactory.getByRequest(req);
  if (!hasContextId(req)) {
    setContextId(req, contextId);
    moduleRef.registerRequestByContextId(Object.assign(req, contextId.payload), contextId);
  }
  return contextId;
}
