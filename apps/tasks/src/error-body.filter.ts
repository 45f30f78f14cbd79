import { STATUS_CODES } from 'node:http';
import {
  Catch,
  HttpException,
  HttpStatus,
  Logger,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** The body of every error response. */
interface ErrorBody {
  readonly statusCode: number;
  /** The name of the status, such as `Not Found`. */
  readonly error: string;
  /** One sentence, or a list with one sentence for each invalid field. */
  readonly message: string | readonly string[];
  readonly path: string;
}

/**
 * Gives all error responses the same kind of body. Unexpected errors are logged, and the response
 * is a neutral 500.
 */
@Catch()
export class ErrorBodyFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorBodyFilter.name);

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    // GraphQL has its own format for errors of resolvers.
    if (host.getType<'http' | 'graphql'>() === 'graphql') throw exception;
    const { httpAdapter } = this.adapterHost;
    const request = host.switchToHttp().getRequest<unknown>();
    const response = host.switchToHttp().getResponse<unknown>();
    const path = String(httpAdapter.getRequestUrl(request)).split('?', 1)[0] ?? '';
    const { statusCode, message } = faultOf(exception);

    if (statusCode >= 500) {
      const stack = exception instanceof Error ? exception.stack : String(exception);
      this.logger.error(`${String(httpAdapter.getRequestMethod(request))} ${path} failed`, stack);
    }
    if (httpAdapter.isHeadersSent(response)) {
      httpAdapter.end(response);
      return;
    }
    if (statusCode === 401) httpAdapter.setHeader(response, 'WWW-Authenticate', 'Bearer');
    const body: ErrorBody = { statusCode, error: reasonOf(statusCode), message, path };
    httpAdapter.reply(response, body, statusCode);
  }
}

type Fault = Pick<ErrorBody, 'statusCode' | 'message'>;

function faultOf(exception: unknown): Fault {
  if (exception instanceof HttpException) {
    return { statusCode: exception.getStatus(), message: messageOf(exception) };
  }
  // Body parsers throw their own errors (too large, unknown charset). Their messages may change
  // between versions, so the name of the status is sent instead.
  const statusCode = (exception as { statusCode?: unknown } | null | undefined)?.statusCode;
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return { statusCode, message: reasonOf(statusCode) };
  }
  return {
    statusCode: HttpStatus.INTERNAL_SERVER_ERROR,
    message: 'Something went wrong on our side',
  };
}

function messageOf(exception: HttpException): Fault['message'] {
  const body = exception.getResponse();
  if (typeof body === 'string') return body;
  return (body as Partial<ErrorBody>).message ?? exception.message;
}

function reasonOf(statusCode: number): string {
  return STATUS_CODES[statusCode] ?? 'Error';
}
