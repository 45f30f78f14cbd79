// Serves the panel under the prefix "api". Prints its URL.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpModule } from '@fledge/mcp';
import { PanelModule } from '@fledge/panel';

class AppModule {}
const { TOKEN } = process.env;
const authorize = ({ headers }) => headers.authorization === `Bearer ${TOKEN}`;
Module({
  imports: [
    McpModule.forRoot({ name: 'panelled', version: '1.0.0' }),
    PanelModule.forRoot(TOKEN ? { authorize } : {}),
  ],
})(AppModule);

const adapter = process.env.PLATFORM === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: false });
app.setGlobalPrefix('api');
await app.listen(0, '127.0.0.1');
console.log(`at ${await app.getUrl()}`);
