import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UnauthorizedException,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';

export interface User {
  sub: string;
  company: string;
}

export const Public = () => SetMetadata('public', true);

@Injectable()
export class JwtGuard implements CanActivate {
  constructor(
    private readonly jwt: JwtService,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<boolean>('public', context.getHandler())) return true;
    const request = context.switchToHttp().getRequest<{
      headers: { authorization?: string };
      user?: User;
    }>();
    const token = request.headers.authorization?.replace(/^Bearer /, '');
    try {
      request.user = await this.jwt.verifyAsync<User>(token ?? '');
      return true;
    } catch {
      throw new UnauthorizedException();
    }
  }
}
