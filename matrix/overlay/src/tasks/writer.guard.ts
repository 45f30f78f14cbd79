import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';

@Injectable()
export class WriterGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, unknown> }>();
    return headers.authorization === 'Bearer writer';
  }
}
