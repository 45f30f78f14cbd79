import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import { exchangeOf } from './user.js';

@Injectable()
export class RateGuard extends ThrottlerGuard {
  protected getRequestResponse(context: ExecutionContext): ReturnType<typeof exchangeOf> {
    return exchangeOf(context);
  }
}
