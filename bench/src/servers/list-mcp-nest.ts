// The tools of `list-app.ts` as @rekog/mcp-nest has them.
// Arguments: number of tools, how their schema is written (zod | JSON Schema).
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { McpController, Tool } from '@rekog/mcp-nest';
import { defineMethod } from './define-method.js';
import { LISTED_DESCRIPTION, listedJsonSchema, listedSchema, toolNames } from './list-schema.js';
import { serveMcpNest } from './mcp-nest-app.js';

const [count, kind] = process.argv.slice(2);
const parameters = kind === 'zod' ? listedSchema : listedJsonSchema;

@McpController()
class ActionsController {}

for (const name of toolNames(Number(count))) {
  defineMethod(ActionsController, name, (body: object) => body, {
    decorators: [Tool({ name, description: LISTED_DESCRIPTION, parameters })],
    parameters: [{ type: Object, decorator: Payload() }],
  });
}

@Module({ controllers: [ActionsController] })
class AppModule {}

await serveMcpNest(AppModule, { platform: 'Express', stateful: false });
