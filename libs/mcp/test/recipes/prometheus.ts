import { IntrospectionRegistry } from '@fledge/core';
import { McpModule } from '@fledge/mcp';
import { Controller, Get, Header, Module } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';

@Controller('metrics')
class MetricsController {
  private readonly registry = new Registry();

  constructor(introspection: IntrospectionRegistry) {
    new Gauge({
      name: 'fledge',
      help: 'Numbers that the parts of Fledge count',
      labelNames: ['part', 'metric'],
      registers: [this.registry],
      async collect() {
        const { adapters } = await introspection.collect();
        for (const { name: part, metrics } of adapters) {
          for (const [metric, value] of Object.entries(metrics)) {
            if (typeof value === 'number') this.set({ part, metric }, value);
          }
        }
      },
    });
  }

  @Get()
  @Header('content-type', Registry.PROMETHEUS_CONTENT_TYPE)
  metrics() {
    return this.registry.metrics();
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'task-api', sessions: { max: 10 } })],
  controllers: [MetricsController],
})
export class AppModule {}
