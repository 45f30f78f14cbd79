// Boots an application with so many routes, says how long it took, and ends.
// Arguments: number of routes, then `tools` to have McpModule among its imports, or `routes`.
import 'reflect-metadata';
import { performance } from 'node:perf_hooks';
import { Body, Controller, Module, Param, Post, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { McpModule, McpTool } from '@fledge/mcp';
import { defineMethod } from './define-method.js';

const ROUTES_PER_CONTROLLER = 10;
const [count, imports] = process.argv.slice(2);

const controllers: Type[] = [];
for (let i = 0; i < Number(count); i += ROUTES_PER_CONTROLLER) {
  class ThingsController {}
  for (let route = i; route < Math.min(i + ROUTES_PER_CONTROLLER, Number(count)); route++) {
    defineMethod(ThingsController, `change${route}`, (id: string) => ({ id }), {
      decorators: [
        Post(`:id/change-${route}`),
        McpTool({ name: `change_${route}`, description: 'Changes a thing' }),
      ],
      parameters: [
        { type: String, decorator: Param('id') },
        { type: dto(), decorator: Body() },
      ],
    });
  }
  Controller(`things-${i}`)(ThingsController);
  controllers.push(ThingsController);
}

@Module({ imports: imports === 'tools' ? [McpModule.forRoot({ name: 'bench' })] : [], controllers })
class AppModule {}

const began = performance.now();
const app = await NestFactory.create(AppModule, new ExpressAdapter(), { logger: false });
await app.init();
process.send?.({ ms: performance.now() - began }, () => process.exit(0));

/** A class of its own for every route, as applications have them. */
function dto(): Type {
  class Change {
    @IsString() @MaxLength(200) title!: string;
    @IsOptional() @IsIn(['low', 'normal', 'high']) priority?: string;
    @IsOptional() @IsString() note?: string;
  }
  return Change;
}
