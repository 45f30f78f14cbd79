import { Body, Controller, Post } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Public } from './jwt.guard.js';

@Controller('auth')
export class AuthController {
  constructor(private readonly jwt: JwtService) {}

  @Post('login')
  @Public()
  login(@Body('name') name: string) {
    const company = name === 'ada' ? 'acme' : 'globex';
    return { token: this.jwt.sign({ sub: name, company }) };
  }
}
