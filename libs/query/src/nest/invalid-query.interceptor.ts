import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, type Observable, throwError } from 'rxjs';
import { httpErrorOf } from './bad-request.js';

/**
 * Converts an `InvalidQueryError` thrown by a handler to Nest's 400. ORM adapters throw it for a
 * value that does not fit its column. This is an interceptor instead of a filter, so that every
 * exception filter of the application gets an `HttpException`. Routes with `@Qs()` or `@Paginate()`
 * have the interceptor even without the module; the module adds it to all other routes.
 */
@Injectable()
export class InvalidQueryInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(catchError((error: unknown) => throwError(() => httpErrorOf(error))));
  }
}
