import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, type Observable, throwError } from 'rxjs';
import { httpErrorOf } from './bad-request.js';

/**
 * Makes Nest's 400 of an invalid query that a handler throws, as ORM adapters do for a value that does not
 * fit its column. An interceptor, so that every exception filter of the application sees an
 * `HttpException`, one that catches everything included.
 */
@Injectable()
export class InvalidQueryInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(catchError((error: unknown) => throwError(() => httpErrorOf(error))));
  }
}
