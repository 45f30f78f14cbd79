import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Body,
  type CanActivate,
  Controller,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  type INestApplication,
  Module,
  Param,
  ParseIntPipe,
  Post,
  StreamableFile,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { McpModule, McpTool } from '@fledge/mcp';
import { createMcpTestClient } from '@fledge/mcp/testing';
import { IsString } from 'class-validator';
import type { IncomingMessage } from 'node:http';
import { platforms } from '../../../test/support/platforms.js';

class Task {
  @IsString() title!: string;
}

class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<IncomingMessage>();
    if (headers.authorization !== 'Bearer secret') throw new UnauthorizedException();
    return true;
  }
}

@Controller('tasks')
@UseGuards(TokenGuard)
class TasksController {
  @Post()
  @McpTool({ name: 'create', description: 'Creates a task' })
  create(@Body() task: Task) {
    return task;
  }

  @Get(':id')
  @McpTool({ name: 'at', description: 'Reads a task' })
  at(@Param('id', ParseIntPipe) id: number) {
    return { id };
  }

  @Get(':id/files/:type')
  @McpTool({ name: 'file', description: 'Reads a file' })
  file(@Param('id', ParseIntPipe) id: number, @Param('type') type: string) {
    return new StreamableFile(Buffer.from([0xff, 0xd8, 0, id]), { type: `${type}/x` });
  }

  @Delete(':id')
  @HttpCode(204)
  @McpTool({ name: 'remove', description: 'Removes a task' })
  remove() {}
}

@Module({ imports: [McpModule.forRoot({ name: 'kit' })], controllers: [TasksController] })
class AppModule {}

describe.each(platforms)('createMcpTestClient on $name', ({ adapter }) => {
  let app: INestApplication;
  beforeEach(async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = module.createNestApplication(adapter());
  });
  afterEach(() => app.close());

  it.each(['2025-11-25', '2026-07-28'] as const)('speaks %s, without a port', async (era) => {
    const client = await createMcpTestClient(app, { token: 'secret', era });
    expect((await client.listTools()).map(({ name }) => name)).toEqual([
      'at',
      'create',
      'file',
      'remove',
    ]);
    expect(await client.callTool('create', { title: 'x' })).toMatchObject({
      content: [{ type: 'text', text: '{"title":"x"}' }],
      isError: false,
    });
    await client.close();
    // The session is free again: one is all there is.
    await (await createMcpTestClient(app, { token: 'secret', era })).close();
    expect((app.getHttpServer() as { listening: boolean }).listening).toBe(false);
  });

  it('compares a tool call with the direct request', async () => {
    const client = await createMcpTestClient(app, { token: 'secret' });
    const body = { title: 'x' };
    await client.expectSameAsHttp('create', body, { method: 'POST', path: '/tasks', body });
    await client.expectSameAsHttp('remove', { id: '1' }, { method: 'DELETE', path: '/tasks/1' });
    await client.expectSameAsHttp('at', { id: 1 }, { method: 'GET', path: '/tasks/1' });
    await expect(
      client.expectSameAsHttp('at', { id: 1 }, { method: 'GET', path: '/tasks/2' }),
    ).rejects.toThrow('Tool "at" and GET /tasks/2 have different responses');
    for (const type of ['image', 'audio']) {
      const read = { method: 'GET', path: `/tasks/1/files/${type}` };
      await client.expectSameAsHttp('file', { id: 1, type }, read);
      await expect(client.expectSameAsHttp('file', { id: 2, type }, read)).rejects.toThrow(
        `Tool "file" and GET /tasks/1/files/${type} have different responses`,
      );
    }
    await client.close();

    const stranger = await createMcpTestClient(app);
    await stranger.expectSameAsHttp('at', { id: 1 }, { method: 'GET', path: '/tasks/1' });
    expect((await stranger.callTool('at', { id: 1 })).isError).toBe(true);
    await stranger.close();
  });
});
