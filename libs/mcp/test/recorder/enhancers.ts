import {
  type ArgumentMetadata,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  ForbiddenException,
  HttpException,
  Inject,
  Injectable,
  mixin,
  type NestInterceptor,
  type NestMiddleware,
  type PipeTransform,
  Scope,
  type Type,
  UnauthorizedException,
} from '@nestjs/common';
import { HttpAdapterHost, REQUEST } from '@nestjs/core';
import type { IncomingMessage } from 'node:http';
import { tap } from 'rxjs';
import { begin, note } from './trace.js';

function requestOf(host: ArgumentsHost): IncomingMessage {
  return host.switchToHttp().getRequest<IncomingMessage>();
}

@Injectable()
export class RecordingMiddleware implements NestMiddleware {
  use(request: IncomingMessage, _response: unknown, next: () => void): void {
    begin(request);
    note(request, `middleware ${request.method}`);
    next();
  }
}

export function RecordingGuard(name: string): Type<CanActivate> {
  @Injectable()
  class Recording implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      const { headers } = requestOf(context);
      note(requestOf(context), `guard ${name} for ${context.getHandler().name}`);
      if (name === 'global' && headers.authorization === undefined)
        throw new UnauthorizedException();
      if (name === 'method' && headers.authorization === 'Bearer guest')
        throw new ForbiddenException();
      return true;
    }
  }
  return mixin(Recording);
}

export function RecordingInterceptor(name: string): Type<NestInterceptor> {
  @Injectable()
  class Recording implements NestInterceptor {
    intercept(context: ExecutionContext, next: CallHandler) {
      const request = requestOf(context);
      note(request, `interceptor ${name} before`);
      return next.handle().pipe(
        tap({
          next: () => note(request, `interceptor ${name} after`),
          error: () => note(request, `interceptor ${name} error`),
        }),
      );
    }
  }
  return mixin(Recording);
}

/** Pipes see no request, so they are request-scoped to have one. */
export function RecordingPipe(name: string): Type<PipeTransform> {
  @Injectable({ scope: Scope.REQUEST })
  class Recording implements PipeTransform {
    constructor(@Inject(REQUEST) private readonly request: IncomingMessage) {}

    transform(value: unknown, { type, data, metatype }: ArgumentMetadata): unknown {
      const of = metatype === undefined ? '' : ` ${metatype.name}`;
      note(this.request, `pipe ${name} ${type} ${data ?? ''}${of}`);
      return value;
    }
  }
  return mixin(Recording);
}

export function RecordingFilter(name: string, ...caught: Type<Error>[]): Type<ExceptionFilter> {
  @Catch(...caught)
  class Recording implements ExceptionFilter {
    constructor(private readonly host: HttpAdapterHost) {}

    catch(error: Error, host: ArgumentsHost): void {
      note(requestOf(host), `filter ${name} ${error.constructor.name}`);
      const status = error instanceof HttpException ? error.getStatus() : 500;
      const body = error instanceof HttpException ? error.getResponse() : { message: 'neutral' };
      this.host.httpAdapter.reply(host.switchToHttp().getResponse(), { name, body }, status);
    }
  }
  return mixin(Recording);
}
