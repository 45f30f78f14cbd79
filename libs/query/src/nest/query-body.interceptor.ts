import type { CallHandler, ExecutionContext } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { InvalidQueryInterceptor } from './invalid-query.interceptor.js';
import { type ListRequest, type ListResponse, readQueryBody } from './query-body.js';

/**
 * The interceptor of routes with `@Qs()` or `@Paginate()`. Interceptors run before pipes, which get the parameters but
 * not the request.
 */
export class QueryBodyInterceptor extends InvalidQueryInterceptor {
  override intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() === 'http') {
      const http = context.switchToHttp();
      readQueryBody(http.getRequest<ListRequest>(), http.getResponse<ListResponse>());
    }
    return super.intercept(context, next);
  }
}
