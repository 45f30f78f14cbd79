import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, type Observable, throwError } from 'rxjs';
import { httpErrorOf } from './http-error.js';

/**
 * Converts an `InvalidQueryError` of a handler to Nest's 400, and an `UnacceptableExportError` to
 * Nest's 406. ORM adapters throw the first error if a value does not fit its column, and
 * `exportPages` throws the second error. This is an interceptor and not a filter. Every exception
 * filter of the application therefore receives an `HttpException`. Routes with `@Qs()` or
 * `@Paginate()` always have this interceptor. The module adds it to all other routes.
 */
@Injectable()
export class InvalidQueryInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(catchError((error: unknown) => throwError(() => httpErrorOf(error))));
  }
}
