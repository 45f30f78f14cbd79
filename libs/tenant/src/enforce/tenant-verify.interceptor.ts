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

  intercept(
    execution: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    const checked = isRequest(execution) ? this.verifier.check(this.ctx) : undefined;
    return checked instanceof Promise ? checked.then(() => next.handle()) : next.handle();
  }
}

/** Messages of gateways and microservices have no request with a user. */
function isRequest(execution: ExecutionContext): boolean {
  const type = execution.getType<'http' | 'graphql' | 'ws' | 'rpc'>();
  return type === 'http' || type === 'graphql';
}
