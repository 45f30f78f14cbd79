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
 * Runs the verification before handlers and resolvers. An interceptor, because interceptors run after
 * all guards of the application.
 */
@Injectable()
export class TenantVerifyInterceptor implements NestInterceptor {
  constructor(
    private readonly verifier: TenantVerifier,
    private readonly ctx: RequestContext,
  ) {}

  async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    if (isRequest(execution)) await this.verifier.check(this.ctx);
    return next.handle();
  }
}

/** Messages of gateways and microservices have no request with a user. */
function isRequest(execution: ExecutionContext): boolean {
  const type = execution.getType<'http' | 'graphql' | 'ws' | 'rpc'>();
  return type === 'http' || type === 'graphql';
}
