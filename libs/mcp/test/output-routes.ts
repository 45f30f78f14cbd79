// A real API's worth of answers, declared in every way that an application can.
import {
  Controller,
  Get,
  Header,
  HttpCode,
  NotFoundException,
  Post,
  Redirect,
  SerializeOptions,
  StandardSchemaSerializerInterceptor,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsEmail, IsInt, MaxLength, Min } from 'class-validator';
import { createZodDto, ZodSerializerDto, ZodSerializerInterceptor } from 'nestjs-zod';
import { z } from 'zod';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';

enum Status {
  Open = 'open',
  Done = 'done',
}

class Person {
  @ApiProperty({ format: 'email' })
  email!: string;

  @ApiProperty({ format: 'password' })
  password?: string;

  @ApiPropertyOptional({ type: () => Person })
  manager?: Person;
}

class Entity {
  @ApiProperty({ type: 'integer', minimum: 1 })
  id!: number;

  @ApiProperty()
  createdAt!: Date;
}

export class Task extends Entity {
  @ApiProperty({ minLength: 3, maxLength: 5, pattern: '^(?<word>\\w+)$' })
  title!: string;

  @ApiProperty({ enum: Status })
  status!: Status;

  @ApiPropertyOptional()
  due?: Date;

  @ApiProperty({ type: [Person] })
  people!: Person[];

  @ApiProperty({ nullable: true, type: () => Task })
  parent!: Task | null;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'number' } })
  counts!: Record<string, number>;

  @ApiProperty({ type: BigInt })
  big!: unknown;

  @Exclude()
  @ApiProperty()
  secret?: string;

  @Expose({ name: 'label' })
  @ApiProperty()
  tag?: string;
}

class Validated {
  @IsInt() @Min(10) @Type(() => Number) count!: number;
  @IsEmail() @MaxLength(3) email!: string;
}

class Page {
  @ApiProperty() total!: number;
}

class Cat {
  @ApiProperty({ enum: ['cat'] }) kind!: 'cat';
}

class Dog {
  @ApiProperty({ enum: ['dog'] }) kind!: 'dog';
}

class Letter {
  @ApiProperty() body!: number;
}

const TASK = {
  id: 0,
  createdAt: new Date(0),
  title: 'a title longer than the schema says',
  status: Status.Open,
  due: null,
  people: [{ email: 'no address', manager: null }],
  parent: null,
  counts: { a: 1.5 },
  big: '90071992547409930',
  secret: undefined,
  tag: 'x',
};

class ZodTask extends createZodDto(
  z.object({ id: z.number().int().positive(), at: z.email(), tags: z.array(z.string()).min(1) }),
) {}

const ZOD_TASK = { id: 1, at: 'a@example.com', tags: ['x'] };

const Item = z.object({ id: z.number(), name: z.string().optional() });

type Tree = { name: string; children: Tree[] };
const Tree: z.ZodType<Tree> = z.object({ name: z.string(), children: z.array(z.lazy(() => Tree)) });

const tool = (name: string) => McpTool({ name, description: name });

/** Routes whose answers match what they declare. */
@Controller('good')
@ApiNotFoundResponse({ type: Person })
@ApiExtraModels(Cat)
export class GoodController {
  @Get('class') @tool('class') @ApiOkResponse({ type: Task }) one(): Task {
    return { ...TASK, parent: { ...TASK } } as never;
  }

  @Get('list') @tool('list') @ApiOkResponse({ type: Task, isArray: true }) list() {
    return [TASK];
  }

  @Get('tuple') @tool('tuple') @ApiOkResponse({ type: [Task] }) tuple() {
    return [];
  }

  @Get('validated') @tool('validated') @ApiOkResponse({ type: Validated }) validated() {
    return { count: 1, email: 'long enough to be refused' };
  }

  @Get('page')
  @tool('page')
  @ApiExtraModels(Page, Task)
  @ApiOkResponse({
    schema: {
      allOf: [
        { $ref: getSchemaPath(Page) },
        {
          properties: { data: { type: 'array', items: { $ref: getSchemaPath(Task) } } },
          type: 'object',
          required: ['data', 'more'],
        },
      ],
    },
  })
  page() {
    return { total: 1, data: [TASK] };
  }

  @Get('union')
  @tool('union')
  @ApiExtraModels(Dog)
  @ApiOkResponse({
    schema: { oneOf: [{ $ref: getSchemaPath(Cat) }, { $ref: getSchemaPath(Dog) }] },
  })
  union() {
    return { kind: 'dog' };
  }

  @Get('lost')
  @tool('lost')
  @ApiOkResponse({
    schema: { type: 'object', properties: { a: { $ref: '#/components/schemas/Nowhere' } } },
  })
  lost() {
    return { a: 1 };
  }

  @Get('record')
  @tool('record')
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: { type: 'integer' } } })
  record() {
    return { a: 1 };
  }

  @Get('odd')
  @tool('odd')
  @ApiOkResponse({
    schema: {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'date' as never, enum: [] }, b: { not: {} }, c: { pattern: '(' } },
      additionalProperties: false,
    },
  })
  odd() {
    return { a: 1, b: 2, c: '', d: 3 };
  }

  @Get('letter') @tool('letter') @ApiOkResponse({ type: Letter }) letter() {
    return { body: 1 };
  }

  @Get('text') @tool('text') @ApiOkResponse({ type: String }) text() {
    return '123';
  }

  @Get('number') @tool('number') @ApiOkResponse({ type: Number }) number() {
    return 5;
  }

  @Get('nothing') @tool('nothing') @ApiOkResponse({ type: Task, nullable: true }) nothing() {
    return null;
  }

  @Post('first')
  @HttpCode(202)
  @tool('first')
  @ApiAcceptedResponse({ type: Cat })
  @ApiCreatedResponse({ description: 'without a body' })
  @ApiResponse({ status: 206, type: Dog })
  first() {
    return { kind: 'cat' };
  }

  @Get('later') @tool('later') @ApiResponse({ status: 206, type: Dog }) later() {
    return { kind: 'dog' };
  }

  @Get('content')
  @tool('content')
  @ApiOkResponse({ content: { 'application/json': { schema: { type: 'array', items: {} } } } })
  content() {
    return [1, 'two'];
  }

  @Get('unsaid') @tool('unsaid') unsaid() {
    return { anything: true };
  }

  @Get('explicit')
  @McpTool({
    name: 'explicit',
    description: 'explicit',
    outputSchema: z.object({ id: z.number() }),
  })
  @ApiOkResponse({ type: Task })
  explicit() {
    return { id: 1 };
  }

  @Get('blocks')
  @McpTool({ name: 'blocks', description: 'blocks', content: 'blocks' })
  @ApiOkResponse({ type: Task })
  blocks() {
    return [{ type: 'text', text: 'a block' }];
  }
}

/** Routes that serializers check. */
@Controller('serialized')
@SerializeOptions({ schema: Item })
export class SerializedController {
  @Get('one') @tool('one') @UseInterceptors(StandardSchemaSerializerInterceptor) one(): Cat {
    return { id: 1, hidden: true } as never;
  }

  @Get('many')
  @tool('many')
  @UseInterceptors(StandardSchemaSerializerInterceptor)
  many(): object[] {
    return [{ id: 1, name: 'x', hidden: true }];
  }

  @Get('either')
  @tool('either')
  @SerializeOptions({ strategy: 'exposeAll' } as never)
  @UseInterceptors(StandardSchemaSerializerInterceptor)
  async either(): Promise<unknown> {
    return Promise.resolve([{ id: 1, hidden: true }]);
  }

  @Get('documented')
  @tool('documented')
  @ApiOkResponse({ type: Task, isArray: true })
  async documented(): Promise<unknown> {
    return Promise.resolve([{ id: 1 }]);
  }

  @Get('tree') @tool('tree') @SerializeOptions({ schema: Tree }) tree(): Tree {
    return { name: 'a', children: [{ name: 'b', children: [] }] };
  }

  @Get('date')
  @tool('date')
  @SerializeOptions({ schema: z.object({ at: z.date(), id: z.bigint().optional() }) })
  date(): { at: Date } {
    return { at: new Date(0) };
  }
}

/** Routes of nestjs-zod. */
@Controller('zod')
@UseInterceptors(ZodSerializerInterceptor)
export class ZodController {
  @Get('dto') @tool('dto') @ZodSerializerDto(ZodTask) dto() {
    return { ...ZOD_TASK, hidden: true };
  }

  @Get('dtos') @tool('dtos') @ZodSerializerDto([ZodTask]) dtos() {
    return [ZOD_TASK];
  }

  @Get('swagger') @tool('swagger') @ApiOkResponse({ type: ZodTask.Output }) swagger() {
    return ZOD_TASK;
  }
}

/** Routes that answer otherwise than they declare. */
@Controller('bad')
export class BadController {
  @Get('type') @tool('type') @ApiOkResponse({ type: Task }) type() {
    return { ...TASK, id: 'one' };
  }

  @Get('listed') @tool('listed') @ApiOkResponse({ type: Task, isArray: true }) listed() {
    return { data: [] };
  }

  @Get('unlisted') @tool('unlisted') @ApiOkResponse({ type: Task }) unlisted() {
    return [TASK];
  }

  @Get('record')
  @tool('bad_record')
  @ApiOkResponse({
    schema: { type: 'object', additionalProperties: { type: 'integer' } },
  })
  record() {
    return { a: 'text' };
  }

  @Get('letter') @tool('bad_letter') @ApiOkResponse({ type: Letter }) letter() {
    return { body: 'text' };
  }

  @Get('unserialized')
  @tool('unserialized')
  @SerializeOptions({ schema: Item })
  unserialized(): object {
    return { name: 1 };
  }

  @Get('empty') @tool('empty') @HttpCode(204) @ApiOkResponse({ type: Task }) empty() {}

  @Get('html') @tool('html') @ApiOkResponse({ type: Task, isArray: true }) html() {
    return '<p>';
  }

  @Get('deep') @tool('deep') @ApiOkResponse({ type: Task }) deep() {
    let value: unknown = 1;
    for (let i = 0; i < 300; i++) value = [value];
    return { value };
  }

  @Get('large') @tool('large') @ApiOkResponse({ type: Task }) large() {
    return { ...TASK, title: 'é'.repeat(5000) };
  }

  @Get('binary') @tool('binary') @ApiOkResponse({ type: Task }) binary() {
    return new StreamableFile(Buffer.from([1, 2, 3]));
  }

  @Get('image')
  @tool('image')
  @Header('content-type', 'image/png')
  @ApiOkResponse({ type: Task, isArray: true })
  image() {
    return new StreamableFile(Buffer.from([1, 2, 3]), { type: 'image/png' });
  }
}

/** Routes that fail. */
@Controller('failing')
export class FailingController {
  @Get('missing') @tool('missing') @ApiOkResponse({ type: Task }) missing() {
    throw new NotFoundException({ code: 'GONE', id: 'one' });
  }

  @Get('broken') @tool('broken') @ApiOkResponse({ type: Task, isArray: true }) broken() {
    throw new Error('broken');
  }

  @Get('moved') @tool('moved') @Redirect('/elsewhere') @ApiOkResponse({ type: Task }) moved() {}

  @Get('slow')
  @McpTool({ name: 'slow', description: 'slow', timeoutMs: 50 })
  @ApiOkResponse({ type: Task })
  slow() {
    return new Promise(() => undefined);
  }

  @Get('refused')
  @tool('refused')
  @UseInterceptors(StandardSchemaSerializerInterceptor)
  @SerializeOptions({ schema: Item })
  refused(): object {
    return { id: 'not a number' };
  }
}
