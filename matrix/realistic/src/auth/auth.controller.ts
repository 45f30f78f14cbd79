import { CentralRoute } from '@fledge/tenant';
import { Body, Controller, Post, Res } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Response } from 'express';
import { Public } from './jwt.guard.js';

const TENANTS: Record<string, string[]> = { ada: ['acme'], bob: ['globex'], eve: [] };

@Controller({ path: 'auth', version: '1' })
export class AuthController {
  constructor(private readonly jwt: JwtService) {}

  @Post('login')
  @Public()
  @CentralRoute()
  login(@Body('name') name: string, @Res({ passthrough: true }) res: Response) {
    const token = this.jwt.sign({ sub: name, tenants: TENANTS[name] ?? [] });
    res.cookie('token', token, { httpOnly: true });
    return { token };
  }
}
