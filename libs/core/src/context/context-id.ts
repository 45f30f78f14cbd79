import { type ContextId, ContextIdFactory, type ModuleRef } from '@nestjs/core';
import { hasContextId, setContextId } from '../nest/request-context-id.js';

/** Nest's router uses the same id, so each provider has only one instance for the request. */
export function contextIdOf(req: object, moduleRef: ModuleRef): ContextId {
  const contextId = ContextIdFactory.getByRequest(req);
  if (!hasContextId(req)) {
    setContextId(req, contextId);
    moduleRef.registerRequestByContextId(Object.assign(req, contextId.payload), contextId);
  }
  return contextId;
}
