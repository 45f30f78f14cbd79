// Fastify: another platform adapter in main.ts. Modules, controllers and tools stay as they are.
import 'reflect-metadata';
import { Controller, Get, Module, Param, ParseIntPipe, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { McpModule, McpTool } from '@fledge/mcp';

@Controller('convert')
class ConvertController {
  @Get(':celsius')
  @McpTool({ name: 'to_fahrenheit', description: 'Converts degrees Celsius to Fahrenheit' })
  convert(@Param('celsius', ParseIntPipe) celsius: number, @Query('unit') unit?: string) {
    return { value: (celsius * 9) / 5 + 32, unit: unit ?? 'F' };
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'converter', sessions: { max: 10 } })],
  controllers: [ConvertController],
})
class AppModule {}

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter());
await app.listen(process.env['PORT'] ?? 3000);
