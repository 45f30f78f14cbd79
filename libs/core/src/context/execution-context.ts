import type { ExecutionContext } from '@nestjs/common';
import { OpenContext, openContextOf } from './open-context.js';
import type { ContextRequest, ContextResponse } from './platform.js';

/**
 * The context of the request a guard, an interceptor or a parameter decorator works for: HTTP
 * handlers and GraphQL resolvers. Undefined for messages and sockets, which are no requests.
 */
export function contextOfExecution(execution: ExecutionContext): OpenContext | undefined {
  switch (execution.getType<'http' | 'graphql' | 'rpc' | 'ws'>()) {
    case 'http': {
      const req = execution.getArgByIndex<ContextRequest>(0);
      const context = openContextOf(req);
      if (context && context.state.req !== req) context.attach(req, execution.getArgByIndex(1));
      return context;
    }
    case 'graphql':
      return contextOfResolver(execution.getArgByIndex<GraphqlContext | undefined>(2));
    default:
      return undefined;
  }
}

/** What drivers hand to resolvers: Apollo's `{ req, res }` (`reply` on Fastify), or our `{ ctx }`. */
interface GraphqlContext {
  readonly ctx?: unknown;
  readonly req?: ContextRequest;
  readonly res?: ContextResponse;
  readonly reply?: ContextResponse;
}

function contextOfResolver(graphql: GraphqlContext | undefined): OpenContext | undefined {
  if (graphql?.ctx instanceof OpenContext) return graphql.ctx;
  const context = openContextOf(graphql?.req);
  if (context && graphql?.req && context.state.req !== graphql.req) {
    context.attach(graphql.req, graphql.reply ?? graphql.res ?? context.state.res);
  }
  return context;
}
