import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, type Observable, throwError } from 'rxjs';
import { httpErrorOf } from './bad-request.js';

/**
 * Converts an `InvalidQueryError` thrown by a handler to Nest's 400. ORM adapters throw it for a value that does not
 * fit its column. An interceptor and not a filter, because every exception filter of the application then gets an
 * `HttpException`. Routes with `@Qs()` or `@Paginate()` have it without the module; the module adds it to the others.
 */
@Injectable()
export class InvalidQueryInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(catchError((error: unknown) => throwError(() => httpErrorOf(error))));
  }
}
