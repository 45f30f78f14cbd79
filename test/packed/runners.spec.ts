// The configurations of libs/core/docs/commonjs.md, as they stand there, run the test of a CommonJS application.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { consumer } from '../support/consumer.js';
import { run } from '../support/ended.js';
import { blocksOf, root } from '../support/snippets.js';

const PAGE = 'libs/core/docs/commonjs.md';
const [tsJest, swc] = blocksOf(PAGE, 'json') as [string, string];
const [vitest] = blocksOf(PAGE, 'js') as [string];

const APPLICATION = `
import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import { Ctx, RequestContext } from '@fledge/core';
import { GraphqlMountModule } from '@fledge/graphql';
import { McpModule, McpTool } from '@fledge/mcp';
import { QueryModule } from '@fledge/query/nest';
import { TenantModule } from '@fledge/tenant';
import { IsString } from 'class-validator';
import { buildSchema } from 'graphql';

class CreateTaskDto {
  @IsString()
  title!: string;
}

@Controller('tasks')
class TasksController {
  @Get()
  list(@Ctx() ctx: RequestContext) {
    return ctx.qs({}).pagination;
  }

  @Post()
  @McpTool({ name: 'create_task', description: 'Create a task' })
  create(@Body() task: CreateTaskDto) {
    return { title: task.title, isTask: task instanceof CreateTaskDto };
  }
}

@Module({
  imports: [
    McpModule.forRoot({ name: 'tasks' }),
    TenantModule.forRoot({ strategy: 'header', mode: 'universal' }),
    QueryModule.forRoot(),
    GraphqlMountModule.forRoot({ schema: buildSchema('type Query { a: Int }') }),
  ],
  controllers: [TasksController],
})
export class AppModule {}
`;

const TEST = `
import 'reflect-metadata';
import { createMcpTestClient } from '@fledge/mcp/testing';
import { ValidationPipe } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AppModule } from './app.module';

it('serves a list and a tool', async () => {
  const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
  const app = module.createNestApplication();
  app.useGlobalPipes(new ValidationPipe({ transform: true }));
  await app.listen(0, '127.0.0.1');
  const listed = await fetch((await app.getUrl()) + '/tasks?page=2&limit=5');
  expect(await listed.json()).toMatchObject({ page: 2, limit: 5 });
  const client = await createMcpTestClient(app);
  const { content } = await client.callTool('create_task', { title: 'Mine' });
  expect(JSON.parse(content[0].text)).toEqual({ title: 'Mine', isTask: true });
  await client.close();
  await app.close();
  // The default of Jest and Vitest is five seconds, which is not enough on a machine under load.
}, 60_000);
`;

let folder: string;

beforeAll(() => {
  folder = join(consumer('all').folder, 'commonjs');
  mkdirSync(folder);
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    isolatedModules: true,
  };
  const files = {
    'package.json': '{ "type": "commonjs" }',
    'tsconfig.json': JSON.stringify({ compilerOptions }),
    'app.module.ts': APPLICATION,
    'app.test.ts': TEST,
    'ts-jest.json': tsJest,
    'swc.json': swc,
    'vitest.config.mjs': vitest,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});

const modules = join(root, 'node_modules');

describe('a CommonJS application is tested by', () => {
  it.each([
    ['Jest with ts-jest', [join(modules, 'jest/bin/jest.js'), '--config', 'ts-jest.json']],
    ['Jest with swc', [join(modules, 'jest/bin/jest.js'), '--config', 'swc.json']],
    ['Vitest', [join(modules, 'vitest/vitest.mjs'), 'run']],
  ])('%s', (_, command) => {
    expect(run(process.execPath, command, { cwd: folder, env: { VITEST: '' } })).toMatchObject({
      status: 0,
      output: expect.stringMatching(/Tests: +1 passed|Tests +1 passed/),
    });
  });
});
