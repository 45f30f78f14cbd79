// A web process adds jobs, a worker process runs them: each job runs for the tenant that added it.
// Start it twice, with ROLE=web and with ROLE=worker. Both use one Redis.
import 'reflect-metadata';
import { BullModule, InjectQueue, Processor, WorkerHost } from '@nestjs/bullmq';
import { Body, Controller, Get, Inject, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CentralRoute, TENANT_CONTEXT, type TenantContext, TenantModule } from '@fledge/tenant';
import { TenantBullModule } from '@fledge/tenant/bullmq';
import type { Job, Queue } from 'bullmq';

@Controller('reports')
class ReportsController {
  constructor(@InjectQueue('reports') private readonly queue: Queue) {}

  @Post()
  async order(@Body('year') year: number) {
    const { id } = await this.queue.add('yearly', { year });
    return { id };
  }

  @Get(':id')
  @CentralRoute()
  async result(@Param('id') id: string) {
    const job = (await this.queue.getJob(id)) as Job<unknown, unknown> | undefined;
    return { done: job?.returnvalue ?? null };
  }
}

@Processor('reports')
class ReportsProcessor extends WorkerHost {
  constructor(@Inject(TENANT_CONTEXT) private readonly tenant: TenantContext) {
    super();
  }

  process({ data }: Job<{ year: number }>): Promise<string> {
    return Promise.resolve(`${data.year} of ${this.tenant.tenantId}, by process ${process.pid}`);
  }
}

const isWorker = process.env['ROLE'] === 'worker';

@Module({
  imports: [
    TenantModule.forRoot({ strategy: 'header' }),
    BullModule.forRoot({
      connection: { url: process.env['REDIS_URL'] ?? 'redis://localhost:6379' },
      prefix: process.env['QUEUE_PREFIX'] ?? 'bull',
    }),
    BullModule.registerQueue({ name: 'reports' }),
    TenantBullModule,
  ],
  controllers: isWorker ? [] : [ReportsController],
  providers: isWorker ? [ReportsProcessor] : [],
})
class AppModule {}

if (isWorker) {
  const app = await NestFactory.createApplicationContext(AppModule);
  app.enableShutdownHooks();
} else {
  const app = await NestFactory.create(AppModule);
  await app.listen(process.env['PORT'] ?? 3000);
}
