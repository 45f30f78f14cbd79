import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type GqlContextType, GqlExecutionContext } from '@nestjs/graphql';
import type { Request, Response } from 'express';

export interface User {
  readonly name: string;
  readonly tenants: readonly string[];
}

/** Request and response of a route, and of an operation of GraphQL. */
export function exchangeOf(context: ExecutionContext): { req: Request; res: Response } {
  if (context.getType<GqlContextType>() === 'graphql')
    return GqlExecutionContext.create(context).getContext<{ req: Request; res: Response }>();
  const http = context.switchToHttp();
  return { req: http.getRequest<Request>(), res: http.getResponse<Response>() };
}

export const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => exchangeOf(context).req.user,
);
