import { IntrospectionRegistry } from '@fledge/core';
import { McpModule } from '@fledge/mcp';
import { Controller, Get, Injectable, Module } from '@nestjs/common';
import {
  HealthCheck,
  HealthCheckService,
  HealthIndicatorService,
  TerminusModule,
} from '@nestjs/terminus';

@Injectable()
class McpHealth {
  constructor(
    private readonly introspection: IntrospectionRegistry,
    private readonly indicators: HealthIndicatorService,
  ) {}

  async check() {
    const indicator = this.indicators.check('mcp');
    const { adapters } = await this.introspection.collect();
    const mcp = adapters.find(({ name }) => name === 'McpAdapter');
    const sessions = Number(mcp?.metrics['sessions']);
    const isFull = sessions >= Number(mcp?.state['maxSessions']);
    return isFull ? indicator.degraded({ sessions }) : indicator.up({ sessions });
  }
}

@Controller('health')
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly mcp: McpHealth,
  ) {}

  @Get()
  @HealthCheck()
  check() {
    return this.health.check([() => this.mcp.check()]);
  }
}

@Module({
  imports: [TerminusModule, McpModule.forRoot({ name: 'task-api', sessions: { max: 10 } })],
  controllers: [HealthController],
  providers: [McpHealth],
})
export class AppModule {}
