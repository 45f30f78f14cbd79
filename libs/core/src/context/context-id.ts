import { type ContextId, ContextIdFactory, type ModuleRef } from '@nestjs/core';
import { hasContextId, setContextId } from '../nest-internals.js';

/**
 * The id of a request's subtree of request-scoped providers: the one Nest's router made or will
 * find, so that everybody who resolves a provider for this request gets the same instance.
 */
export function contextIdOf(req: object, moduleRef: ModuleRef): ContextId {
  const contextId = ContextIdFactory.getByRequest(req);
  if (!hasContextId(req)) {
    setContextId(req, contextId);
    moduleRef.registerRequestByContextId(Object.assign(req, contextId.payload), contextId);
  }
  return contextId;
}
