import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { ExtractJwt, Strategy } from 'passport-jwt';
import type { User } from './user.js';

export const SECRET = 'made-up';

/** The cookie: read by cookie-parser over HTTP, by hand for the request of a WebSocket. */
function tokenOfCookie({ cookies, headers }: Request): string | null {
  const parsed = cookies as { token?: string } | undefined;
  return parsed?.token ?? /(?:^|; )token=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? null;
}

@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor() {
    super({
      jwtFromRequest: ExtractJwt.fromExtractors([
        ExtractJwt.fromAuthHeaderAsBearerToken(),
        tokenOfCookie,
      ]),
      secretOrKey: SECRET,
    });
  }

  validate({ sub, tenants }: { sub: string; tenants: string[] }): User {
    return { name: sub, tenants };
  }
}
