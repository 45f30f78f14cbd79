// One guard for REST and for agents: a tool call carries the caller's token, and passes the same guard.
import 'reflect-metadata';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Get,
  Injectable,
  Module,
  Param,
  Req,
  UnauthorizedException,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { McpModule, McpTool } from '@fledge/mcp';
import { jwtVerify } from 'jose';

interface UserRequest {
  readonly headers: { readonly authorization?: string };
  user?: { readonly id: string; readonly admin: boolean };
}

const secret = new TextEncoder().encode(
  process.env['JWT_SECRET'] ?? 'at least 32 bytes for HS256 ....',
);

@Injectable()
class JwtGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<UserRequest>();
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    try {
      const { payload } = await jwtVerify(token, secret, { algorithms: ['HS256'] });
      request.user = { id: payload.sub ?? '', admin: payload['admin'] === true };
    } catch {
      throw new UnauthorizedException('Send a valid token');
    }
    return true;
  }
}

@Controller('invoices')
class InvoicesController {
  @Get(':id')
  @McpTool({ name: 'invoices_get', description: 'Reads one invoice. For administrators.' })
  get(@Param('id') id: string, @Req() { user }: UserRequest) {
    if (user?.admin !== true) throw new ForbiddenException('Administrators only');
    return { id, readBy: user.id };
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'invoices', sessions: { max: 10 } })],
  controllers: [InvoicesController],
  providers: [{ provide: APP_GUARD, useClass: JwtGuard }],
})
class AppModule {}

const app = await NestFactory.create(AppModule);
await app.listen(process.env['PORT'] ?? 3000);
