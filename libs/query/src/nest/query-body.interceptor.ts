import type { CallHandler, ExecutionContext } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { InvalidQueryInterceptor } from './invalid-query.interceptor.js';
import { type ListRequest, type ListResponse, readQueryBody } from './query-body.js';

/**
 * Reads the body of HTTP QUERY on routes with `@Qs()` or `@Paginate()`. This is an interceptor and
 * not a pipe, because pipes run later and do not receive the request.
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
