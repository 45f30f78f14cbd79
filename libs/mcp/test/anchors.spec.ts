// The visible cases of the anchors (facts: mcp-anchors §4.A to 4.F), each through the official
// client over real HTTP. The number of a case stands at the head of its name.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Body,
  type CanActivate,
  Controller,
  Delete,
  type ExecutionContext,
  Get,
  Header,
  Headers,
  HttpCode,
  HttpException,
  Injectable,
  Ip,
  Module,
  Param,
  ParseArrayPipe,
  ParseIntPipe,
  Patch,
  Post,
  Put,
  Query,
  Redirect,
  Req,
  StreamableFile,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { ApiConsumes } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsArray, IsBoolean, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import { McpAdapter } from '../src/mcp.adapter.js';
import { type RunningApp, startApp } from './support/app.js';
import { type ConnectedClient, textOf } from './support/clients.js';
import { platforms } from '../../../test/support/platforms.js';

/** Names of the handlers that ran since the last call. */
let ran: string[] = [];

class ListQuery {
  @IsOptional() @Type(() => Number) @IsInt() skip?: number;
  @IsOptional() @Type(() => Number) @IsInt() limit?: number;
  @IsOptional() @IsString() q?: string;
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => [value].flat())
  @IsArray()
  @IsString({ each: true })
  tags?: string[];
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => value === 'true')
  @IsBoolean()
  done?: boolean;
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => [value].flat())
  @IsString({ each: true })
  filter?: string[];
}

class Person {
  @IsString() name!: string;
  @IsOptional() @IsString() id?: string;
  @IsOptional() @IsString() nickname?: string | null;
}

class Post_ {
  @IsString() text!: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Post_) comments?: Post_[];
}

@Controller('echo')
class EchoController {
  @Get('number/:id')
  @McpTool({ name: 'number', description: 'x' })
  number(@Param('id', ParseIntPipe) id: number) {
    return { id };
  }

  @Get('users/:id')
  @McpTool({ name: 'user', description: 'x' })
  user(@Param('id') id: string, @Req() request: { originalUrl: string }) {
    ran.push('user');
    return { id, url: request.originalUrl };
  }

  @Get('users/:id/posts')
  @McpTool({ name: 'posts', description: 'x' })
  posts(@Param('id') id: string) {
    ran.push('posts');
    return { of: id };
  }

  @Delete('users/:id/posts')
  @McpTool({ name: 'posts_delete', description: 'x' })
  deletePosts(@Param('id') id: string) {
    ran.push('deletePosts');
    return { deleted: id };
  }

  @Delete('posts')
  deleteAll() {
    ran.push('deleteAll');
  }

  @Delete('users')
  deleteUsers() {
    ran.push('deleteUsers');
  }

  @Delete('users/:id')
  @McpTool({ name: 'user_delete', description: 'x' })
  deleteUser(@Param('id') id: string) {
    ran.push('deleteUser');
    return { deleted: id };
  }

  @Get('files/*')
  @McpTool({ name: 'file', description: 'x' })
  file(@Req() request: { originalUrl: string }) {
    ran.push('file');
    return { url: request.originalUrl };
  }

  @Get('list')
  @McpTool({ name: 'list', description: 'x' })
  list(@Query() query: ListQuery, @Req() request: { originalUrl: string }) {
    return { query, url: request.originalUrl };
  }

  @Post('notify')
  @McpTool({ name: 'notify', description: 'x' })
  notify(@Query('notify') notify: string, @Body() body: Person) {
    return { notify, body };
  }

  @Put('users/:id')
  @McpTool({ name: 'user_put', description: 'x' })
  put(@Param('id', ParseIntPipe) id: number, @Body() body: Person) {
    return { id, body };
  }

  @Patch('users/:id')
  @McpTool({ name: 'user_patch', description: 'x' })
  patch(@Param('id') _id: string, @Body() body: Partial<Person>, @Req() request: { body: object }) {
    return { body: request.body, dto: body.constructor.name };
  }

  @Post('bulk')
  @McpTool({ name: 'bulk', description: 'x' })
  bulk(@Body(new ParseArrayPipe({ items: Person })) people: Person[], @Query('dry') dry: string) {
    return { people: people.map(({ name }) => name), dry };
  }

  @Post('bodyless/:id')
  @McpTool({ name: 'bodyless', description: 'x' })
  bodyless(@Param('id') id: string, @Headers() headers: Record<string, string>) {
    return { id, type: headers['content-type'] ?? null, length: headers['content-length'] ?? null };
  }

  @Delete('with-body/:id')
  @McpTool({ name: 'delete_with_body', description: 'x' })
  deleteWithBody(@Param('id') id: string, @Body() body: Person) {
    return { id, body };
  }

  @Post('form')
  @ApiConsumes('application/x-www-form-urlencoded')
  @McpTool({ name: 'form', description: 'x' })
  form(@Body() body: Person, @Headers('content-type') type: string) {
    return { body, type };
  }

  @Post('big')
  @McpTool({ name: 'big', description: 'x' })
  big(@Body() body: Person) {
    return { length: body.name.length };
  }

  @Post('tree')
  @McpTool({ name: 'tree', description: 'x' })
  tree(@Body() body: Post_) {
    return { isInstance: body instanceof Post_, inner: body.comments?.[0] instanceof Post_ };
  }

  @Post('whole')
  @McpTool({ name: 'instance', description: 'x' })
  instance(@Body() body: Person) {
    return { instance: body instanceof Person, keys: Object.keys(body) };
  }

  @Get('who')
  @McpTool({ name: 'who', description: 'x' })
  who(@Ip() ip: string, @Headers() headers: Record<string, string>) {
    return { ip, headers };
  }
}

class Fail {
  @Type(() => Number) @IsInt() status!: number;
}

@Controller('answers')
class AnswersController {
  @Get('fail')
  @McpTool({ name: 'fail', description: 'x' })
  fail(@Query() { status }: Fail) {
    throw new HttpException({ statusCode: status, message: `status ${status}` }, status);
  }

  @Get('throttled')
  @Header('retry-after', '7')
  @HttpCode(429)
  @McpTool({ name: 'throttled', description: 'x' })
  throttled() {
    return { message: 'slow down' };
  }

  @Get('crash')
  @McpTool({ name: 'crash', description: 'x' })
  crash() {
    throw new Error('password=hunter2');
  }

  @Get('png')
  @McpTool({ name: 'png', description: 'x' })
  png() {
    return new StreamableFile(Buffer.from([137, 80, 78, 71]), { type: 'image/png' });
  }

  @Get('pdf')
  @McpTool({ name: 'pdf', description: 'x' })
  pdf() {
    return new StreamableFile(Buffer.from('%PDF-1.7'), { type: 'application/pdf' });
  }

  @Get('redirect')
  @Redirect('https://other.example/elsewhere', 302)
  @McpTool({ name: 'redirect', description: 'x' })
  redirect() {}

  @Get('cookie')
  @Header('set-cookie', 'session=secret')
  @McpTool({ name: 'cookie', description: 'x' })
  cookie() {
    return { ok: true };
  }

  @Get('typed')
  @McpTool({
    name: 'typed',
    description: 'x',
    outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
  })
  typed() {
    return { ok: true };
  }

  @Get('numbers')
  @McpTool({
    name: 'numbers',
    description: 'x',
    outputSchema: { type: 'array', items: { type: 'number' } },
  })
  numbers() {
    return [1, 2];
  }

  @Get('typed-failure')
  @McpTool({
    name: 'typed_failure',
    description: 'x',
    outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
  })
  typedFailure() {
    throw new HttpException('gone', 410);
  }

  @Get('slow')
  @McpTool({ name: 'slow', description: 'x', timeoutMs: 60 })
  slow() {
    return new Promise(() => undefined);
  }

  @Get('empty')
  @McpTool({ name: 'empty', description: 'x' })
  empty() {}
}

@Injectable()
class OnlyLocalGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<{ ip: string }>().ip === '127.0.0.1';
  }
}

@Controller('internal')
class InternalController {
  @Get()
  @UseGuards(OnlyLocalGuard)
  @McpTool({ name: 'internal', description: 'x' })
  internal() {
    return { secret: true };
  }
}

@Module({
  controllers: [EchoController, AnswersController, InternalController],
  providers: [
    { provide: APP_PIPE, useValue: new ValidationPipe({ transform: true, whitelist: true }) },
  ],
})
class AnchorsModule {}

const listsByPlatform: string[] = [];

describe.each(platforms)('anchors on $name', ({ name: platform, adapter }) => {
  let running: RunningApp;
  let client: ConnectedClient;

  beforeAll(async () => {
    running = await startApp(adapter(), {
      imports: [AnchorsModule],
      mcp: { forwardHeaders: ['X-Listed'] },
      main(app) {
        if (platform === 'Express') {
          (app as unknown as { set(name: string, value: unknown): void }).set('trust proxy', true);
        }
      },
    });
    client = await running.connect({
      authorization: 'Bearer t',
      'x-secret': 'no',
      'x-listed': 'yes',
      cookie: 's=1',
      'accept-encoding': 'gzip',
    });
  });
  afterAll(async () => {
    await client.leave();
    await running.close();
  });

  async function call(name: string, args: Record<string, unknown> = {}) {
    ran = [];
    const result = await client.call(name, args);
    return { ...result, text: result.content[0]?.type === 'text' ? textOf(result) : '' };
  }
  async function json(name: string, args: Record<string, unknown> = {}): Promise<unknown> {
    const { text, isError } = await call(name, args);
    expect([isError, text]).toEqual([false, text]);
    return JSON.parse(text);
  }
  async function refused(name: string, args: Record<string, unknown>): Promise<string> {
    const { text, isError } = await call(name, args);
    expect([isError, ran]).toEqual([true, []]);
    return text;
  }

  describe('A: path parameters', () => {
    it('1: a number reaches ParseIntPipe', async () => {
      expect(await json('number', { id: 123 })).toEqual({ id: 123 });
    });

    it('2: a slash stays in its segment', async () => {
      expect(await json('user', { id: 'a/b' })).toEqual({ id: 'a/b', url: '/echo/users/a%2Fb' });
      expect(ran).toEqual(['user']);
      expect(await json('user', { id: 'x/posts' })).toMatchObject({ id: 'x/posts' });
      expect(ran).toEqual(['user']);
    });

    it.each(['', '.', '..'])('4, 5: %j is refused and nothing runs', async (id) => {
      for (const tool of ['user', 'posts', 'posts_delete', 'user_delete']) {
        expect(await refused(tool, { id })).toContain('id');
      }
    });

    it.each(['%2e%2e', '.%2e', '%2E%2E', '..%2f', '...', '?x=1', '#', '%', ' ', '你好'])(
      '4: %j arrives as it is',
      async (id) => {
        expect(await json('user', { id })).toMatchObject({ id });
        expect(await json('posts_delete', { id })).toEqual({ deleted: id });
        expect(ran).toEqual(['deletePosts']);
      },
    );

    it('6: a missing parameter is named, and no template is ever sent', async () => {
      expect(await refused('user', {})).toContain('"id"');
      expect(await json('user', { id: ':id' })).toMatchObject({ id: ':id' });
    });

    it('8: a wildcard keeps its slashes and lets nothing climb', async () => {
      expect(await json('file', { path: 'a/b/c.txt' })).toEqual({ url: '/echo/files/a/b/c.txt' });
      for (const path of ['a/../../x', '../users/1', 'a//b', './a', '/etc/passwd']) {
        expect(await refused('file', { path })).toContain('path');
      }
    });
  });

  describe('B: query', () => {
    it('11: zero and false are sent', async () => {
      expect(await json('list', { skip: 0, limit: 2, done: false })).toEqual({
        query: { skip: 0, limit: 2, done: false },
        url: '/echo/list?skip=0&limit=2&done=false',
      });
    });

    it('12: arrays repeat their key, one element as well', async () => {
      expect(await json('list', { tags: ['red', 'blue'] })).toEqual({
        query: { tags: ['red', 'blue'] },
        url: '/echo/list?tags=red&tags=blue',
      });
      expect(await json('list', { tags: ['red'] })).toMatchObject({ query: { tags: ['red'] } });
    });

    it('14, 15: empty arrays are left out, an empty text is kept', async () => {
      expect(await json('list', { tags: [], q: '' })).toMatchObject({ url: '/echo/list?q=' });
    });

    it('15: null is left out', async () => {
      expect(await json('list', { q: null, limit: 1 })).toMatchObject({
        url: '/echo/list?limit=1',
      });
    });

    it('17: @Query goes to the query, beside a body', async () => {
      expect(await json('notify', { name: 'x', notify: 'true' })).toEqual({
        notify: 'true',
        body: { name: 'x' },
      });
    });

    it('18: an unknown argument is refused by its name', async () => {
      expect(await refused('list', { limitt: 1 })).toContain('"limitt"');
      expect(await refused('notify', { name: 'x', admin: true })).toContain('"admin"');
    });

    it('19: colons survive', async () => {
      const filter = ['name:eq:a:b', 'done:eq:true'];
      expect(await json('list', { filter })).toMatchObject({ query: { filter } });
    });
  });

  describe('C: body', () => {
    it('21: body and path of one name are both reachable', async () => {
      const { tools } = await client.listTools();
      const schema = tools.find(({ name }) => name === 'user_put')?.inputSchema;
      expect(Object.keys(schema?.properties ?? {}).sort()).toEqual([
        'id',
        'id__path',
        'name',
        'nickname',
      ]);
      expect(await json('user_put', { id__path: 123, id: '456', name: 'x' })).toEqual({
        id: 123,
        body: { id: '456', name: 'x' },
      });
    });

    it('23: null is kept, what is absent stays absent', async () => {
      expect(await json('user_patch', { id: '1', body: { nickname: null } })).toMatchObject({
        body: { nickname: null },
      });
      expect(await json('user_put', { id__path: 1, name: 'x', nickname: null })).toEqual({
        id: 1,
        body: { name: 'x', nickname: null },
      });
    });

    it('24: an array body is the argument "body", beside a query', async () => {
      expect(await json('bulk', { body: [{ name: 'a' }, { name: 'b' }], dry: 'yes' })).toEqual({
        people: ['a', 'b'],
        dry: 'yes',
      });
    });

    it('27: no body where none is declared, one on DELETE where it is', async () => {
      expect(await json('bodyless', { id: '1' })).toEqual({ id: '1', type: null, length: null });
      expect(await json('delete_with_body', { id__path: '1', name: 'x' })).toEqual({
        id: '1',
        body: { name: 'x' },
      });
    });

    it('28: a form goes as a form', async () => {
      expect(await json('form', { name: 'a b&c' })).toEqual({
        body: { name: 'a b&c' },
        type: 'application/x-www-form-urlencoded',
      });
    });

    it('31: a body over 100 kB works, or fails with the limit of the application', async () => {
      const { isError, text } = await call('big', { name: 'x'.repeat(300_000) });
      if (platform === 'Fastify') expect(JSON.parse(text)).toEqual({ length: 300_000 });
      else expect([isError, text]).toEqual([true, expect.stringMatching(/too large/)]);
    });

    it('32: other alphabets are unchanged', async () => {
      expect(await json('notify', { name: '你好 😀 ß\u0000"\\', notify: 'é' })).toEqual({
        notify: 'é',
        body: { name: '你好 😀 ß\u0000"\\' },
      });
    });
  });

  describe('D: schemas', () => {
    it('35: a recursive DTO is published once and works', async () => {
      const { tools } = await client.listTools();
      const schema = JSON.stringify(tools.find(({ name }) => name === 'tree')?.inputSchema);
      expect(schema).toContain('"$defs"');
      const text = 'leaf';
      expect(await json('tree', { text, comments: [{ text, comments: [{ text }] }] })).toEqual({
        isInstance: true,
        inner: true,
      });
      expect(await refused('tree', { text, comments: [{ text, comments: [{}] }] })).toContain(
        '/comments/0/comments/0',
      );
    });

    it('46, 47: every schema is of one dialect and an object', async () => {
      const { tools } = await client.listTools();
      for (const { inputSchema } of tools) expect(inputSchema.type).toBe('object');
      expect(tools.find(({ name }) => name === 'empty')?.inputSchema).toEqual({
        type: 'object',
        properties: {},
        additionalProperties: false,
      });
    });
  });

  describe('E: the pipeline', () => {
    it('51: the handler is given an instance', async () => {
      expect(await json('instance', { name: 'x' })).toMatchObject({
        instance: true,
        keys: expect.arrayContaining(['name']),
      });
    });

    it('55: tools and results are the same on every platform', async () => {
      const { tools } = await client.listTools();
      const results = [
        await call('user', { id: 'a' }),
        await call('list', { limit: 3 }),
        await call('fail', { status: 404 }),
        await call('crash'),
      ];
      const digest = createHash('sha256')
        .update(JSON.stringify([tools, results]))
        .digest('hex');
      listsByPlatform.push(digest);
      expect(new Set(listsByPlatform).size).toBe(1);
    });

    it('56: a route sees the address of the MCP client', async () => {
      expect(await json('who')).toMatchObject({ ip: '127.0.0.1' });
      if (platform !== 'Express') return;
      const outside = await running.connect({ 'x-forwarded-for': '203.0.113.9' });
      expect(JSON.parse(textOf(await outside.call('who')))).toMatchObject({ ip: '203.0.113.9' });
      expect((await outside.call('internal')).isError).toBe(true);
      await outside.leave();
    });

    it('57, 82, 83, 84: a route sees the host and the listed headers, and no others', async () => {
      const { headers } = (await json('who')) as { headers: Record<string, string> };
      expect(headers).toEqual({
        accept: 'application/json, */*;q=0.5',
        'accept-language': '*',
        authorization: 'Bearer t',
        host: new URL(running.url).host,
        'mcp-session-id': expect.any(String),
        'x-listed': 'yes',
      });
    });
  });

  describe('F: results', () => {
    it.each([400, 401, 403, 404, 409, 422, 429, 500, 503])(
      '67, 68: %d is an error with its body',
      async (status) => {
        const result = await client.call('fail', { status });
        expect(result).toEqual({
          content: [
            { type: 'text', text: `{"statusCode":${status},"message":"status ${status}"}` },
          ],
          structuredContent: { error: { status, retryable: status === 429 || status === 503 } },
          isError: true,
        });
      },
    );

    it('67: the list of faults of ValidationPipe is visible', async () => {
      const result = await client.call('number', { id: 1 });
      expect(result.isError).toBe(false);
    });

    it('68: Retry-After is kept', async () => {
      expect((await call('throttled')).structuredContent).toEqual({
        error: { status: 429, retryable: true, retryAfter: '7' },
      });
    });

    it('69: a crash tells nothing of itself', async () => {
      const { text, isError } = await call('crash');
      expect(isError).toBe(true);
      expect(JSON.parse(text)).toEqual({ statusCode: 500, message: 'Internal server error' });
    });

    it('71: an image is an image, other binary a sentence', async () => {
      expect((await client.call('png')).content).toEqual([
        { type: 'image', data: 'iVBORw==', mimeType: 'image/png' },
      ]);
      expect((await call('pdf')).text).toBe('(binary response left out: application/pdf, 8 bytes)');
    });

    it('73: a redirect is told, not followed', async () => {
      expect(await call('redirect')).toMatchObject({
        isError: true,
        text: '(302 redirect to https://other.example/elsewhere, not followed)',
      });
    });

    it('75: cookies of the answer stay where they are', async () => {
      expect(JSON.stringify(await call('cookie'))).not.toContain('secret');
    });

    it('64, 77: structured content goes with an output schema', async () => {
      await client.listTools();
      expect((await call('typed')).structuredContent).toEqual({ ok: true });
      expect((await call('numbers')).structuredContent).toEqual({ result: [1, 2] });
      expect(await call('typed_failure')).toMatchObject({ isError: true });
    });

    it('79: a call ends after its time', async () => {
      expect((await call('slow')).text).toBe('Tool "slow" timed out after 60 ms.');
    });

    it('an empty answer says so', async () => {
      expect((await call('empty')).text).toBe('(200, empty body)');
    });
  });

  it('the adapter tells of its tools what the contract names', () => {
    const tool = running.app.get(McpAdapter).getTools()[0];
    expect(tool).toEqual({
      name: 'number',
      description: 'x',
      httpMethod: 'GET',
      mountPath: '/echo/number/:id',
      inputSchema: {
        type: 'object',
        properties: { id: { type: 'integer' } },
        required: ['id'],
        additionalProperties: false,
      },
    });
    expect(Object.isFrozen(running.app.get(McpAdapter).getTools())).toBe(true);
  });
});
