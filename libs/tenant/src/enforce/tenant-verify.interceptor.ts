import { RequestContext } from '@fledge/core';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import { TenantVerifier } from './tenant-verifier.js';

/**
 * Checks the binding ahead of handlers and resolvers. An interceptor, because the order of guards is
 * the application's: interceptors come after all of them.
 */
@Injectable()
export class TenantVerifyInterceptor implements NestInterceptor {
  constructor(
    private readonly verifier: TenantVerifier,
    private readonly ctx: RequestContext,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (isRequest(execution)) this.verifier.check(this.ctx);
    return next.handle();
  }
}

/** Messages have no request whose user could be asked for. */
function isRequest(execution: ExecutionContext): boolean {
  const type = execution.getType<'http' | 'graphql' | 'ws' | 'rpc'>();
  return type === 'http' || type === 'graphql';
}
