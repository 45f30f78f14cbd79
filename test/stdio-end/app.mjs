// An application with shutdown hooks, which nothing but stdin keeps running. Appends what happens to the file NOTES.
import 'reflect-metadata';
import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, McpTool } from '@fledge/mcp';

const note = (text) => appendFileSync(process.env.NOTES, `${text}\n`);

class SlowController {
  async slow() {
    note('begun');
    await setTimeout(500);
    // Written to stderr, which may be closed.
    console.log('working');
    await setTimeout(500);
    note('done');
    return 'done';
  }
}
const { prototype } = SlowController;
const slow = Object.getOwnPropertyDescriptor(prototype, 'slow');
Get('slow')(prototype, 'slow', slow);
McpTool({ name: 'slow', description: 'Takes a second' })(prototype, 'slow', slow);
Controller()(SlowController);

class Hooks {
  onModuleDestroy() {
    note('destroyed');
  }
}

class AppModule {}
Module({
  imports: [McpModule.forRoot({ name: 'hooks' })],
  controllers: [SlowController],
  providers: [Hooks],
})(AppModule);

const app = await NestFactory.create(AppModule);
app.enableShutdownHooks();
await app.listen(0);
