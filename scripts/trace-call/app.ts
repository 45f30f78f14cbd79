import 'reflect-metadata';
import { McpModule, McpTool } from '@fledge/mcp';
import { Controller, Get, type INestApplication, Module, Param } from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

@Controller('notes')
class NotesController {
  @Get(':id')
  @McpTool({ name: 'notes_get', description: 'Reads a note' })
  get(@Param('id') id: string) {
    return { id };
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'traced' })],
  controllers: [NotesController],
})
class AppModule {}

export const platforms: Readonly<Record<string, () => AbstractHttpAdapter>> = {
  Express: () => new ExpressAdapter(),
  Fastify: () => new FastifyAdapter(),
};

export async function startApp(adapter: AbstractHttpAdapter): Promise<INestApplication> {
  const app = await NestFactory.create(AppModule, adapter, { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  return app;
}
