// Routes that are tools, to be listed. Arguments: platform (Express | Fastify), number of tools, search.
import 'reflect-metadata';
import { Body, Controller, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, McpTool } from '@fledge/mcp';
import { defineMethod } from './define-method.js';
import { LISTED_DESCRIPTION, listedJsonSchema, toolNames } from './list-schema.js';
import { listen, platformAdapter } from './platform.js';
import { report } from './report.js';

const [platform, count, search] = process.argv.slice(2);

@Controller('actions')
class ActionsController {}

for (const name of toolNames(Number(count))) {
  const tool = McpTool({ name, description: LISTED_DESCRIPTION, inputSchema: listedJsonSchema });
  defineMethod(ActionsController, name, (body: object) => body, {
    decorators: [Post(name), tool],
    parameters: [{ type: Object, decorator: Body() }],
  });
}

@Module({
  imports: [
    McpModule.forRoot({ name: 'bench', sessions: { max: 100 }, search: search !== undefined }),
  ],
  controllers: [ActionsController],
})
class AppModule {}

const app = await NestFactory.create(AppModule, platformAdapter(platform), {
  logger: ['error', 'warn'],
});
report(await listen(app));
