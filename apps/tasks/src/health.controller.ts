import { CentralRoute } from '@fledge/tenant';
import { Controller, Get } from '@nestjs/common';
import { Public } from './users/public.decorator.js';

@Controller('health')
@Public()
@CentralRoute()
export class HealthController {
  @Get()
  check(): { status: 'ok' } {
    return { status: 'ok' };
  }
}
