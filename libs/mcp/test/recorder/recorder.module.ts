import {
  BadRequestException,
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Inject,
  Injectable,
  Ip,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Put,
  Query,
  Req,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  ContextIdFactory,
  type ContextIdStrategy,
  REQUEST,
} from '@nestjs/core';
import type { IncomingMessage } from 'node:http';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  MinLength,
  ValidateBy,
} from 'class-validator';
import { McpTool } from '../../src/publish/decorators/mcp-tool.decorator.js';
import {
  RecordingFilter,
  RecordingGuard,
  RecordingInterceptor,
  RecordingMiddleware,
  RecordingPipe,
} from './enhancers.js';
import { note, noteArgs } from './trace.js';

/** The application whose every stage writes itself down. */

class Note {
  @IsString()
  @MinLength(2)
  // A rule of the application's own, which no schema can tell.
  @ValidateBy({
    name: 'isDecent',
    validator: {
      validate: (title) => title !== 'damn',
      defaultMessage: () => 'title is not decent',
    },
  })
  title!: string;
  @IsOptional() @IsArray() @ArrayMaxSize(3) @IsString({ each: true }) tags?: string[];
  @IsOptional() @IsString() nickname?: string | null;
}

class Page {
  @IsOptional() @Type(() => Number) @IsInt() limit?: number;
  @IsOptional() @IsString() q?: string;
}

@Injectable({ scope: Scope.REQUEST })
class RequestScoped {
  constructor(@Inject(REQUEST) readonly request: IncomingMessage) {
    note(request, 'request-scoped provider');
  }
}

@Injectable({ scope: Scope.REQUEST, durable: true })
class Durable {
  constructor(@Inject(REQUEST) readonly tenant: { tenantId: string }) {}
}

/** Durable providers live once a tenant, as the documentation of Nest shows it. */
class ByTenant implements ContextIdStrategy {
  private readonly ids = new Map<string, ReturnType<typeof ContextIdFactory.create>>();

  attach(contextId: ReturnType<typeof ContextIdFactory.create>, request: IncomingMessage) {
    const tenantId = String(request.headers['accept-language'] ?? 'none');
    const subTree = this.ids.get(tenantId) ?? ContextIdFactory.create();
    this.ids.set(tenantId, subTree);
    return {
      resolve: (info: { isTreeDurable: boolean }) => (info.isTreeDurable ? subTree : contextId),
      payload: { tenantId },
    };
  }
}
ContextIdFactory.apply(new ByTenant());

@Controller('notes')
@UseGuards(RecordingGuard('controller'))
@UseInterceptors(RecordingInterceptor('controller'))
@UsePipes(RecordingPipe('controller'))
@UseFilters(RecordingFilter('controller', BadRequestException))
class NotesController {
  @Get(':id')
  @UseGuards(RecordingGuard('method'))
  @UseInterceptors(RecordingInterceptor('method'))
  @McpTool({ name: 'get', description: 'Reads a note' })
  get(
    @Param('id', ParseIntPipe) id: number,
    @Query() page: Page,
    @Headers('accept-language') language: string,
    @Ip() ip: string,
    @Req() request: IncomingMessage,
  ) {
    noteArgs(request, [id, page, page.constructor.name, language, ip]);
    if (id === 404) throw new NotFoundException('no such note');
    if (id === 500) throw new Error('secret');
    return { id, page, language, ip, host: request.headers.host };
  }

  @Post()
  @UsePipes(RecordingPipe('method'))
  @UseFilters(RecordingFilter('method', NotFoundException))
  @McpTool({ name: 'create', description: 'Creates a note' })
  create(
    @Body(RecordingPipe('param')) body: Note,
    @Query('notify') notify: string,
    @Req() request: IncomingMessage,
  ) {
    noteArgs(request, [body, body.constructor.name, Object.keys(body), notify]);
    return { ...body, notify };
  }

  @Put(':id')
  @HttpCode(200)
  @McpTool({ name: 'replace', description: 'Replaces a note' })
  replace(@Param('id') id: string, @Body() body: Note, @Req() request: IncomingMessage) {
    noteArgs(request, [id, body]);
    return Promise.resolve({ id, ...body });
  }

  @Delete(':id')
  @HttpCode(204)
  @McpTool({ name: 'remove', description: 'Removes a note' })
  remove(@Param('id') id: string, @Req() request: IncomingMessage) {
    noteArgs(request, [id]);
  }
}

@Controller('scoped')
class ScopedController {
  constructor(private readonly scoped: RequestScoped) {}

  @Get()
  @McpTool({ name: 'scoped', description: 'Reads through a request-scoped provider' })
  get(@Req() request: IncomingMessage) {
    noteArgs(request, []);
    return { same: this.scoped.request === request, path: this.scoped.request.url };
  }
}

@Controller('durable')
class DurableController {
  constructor(private readonly durable: Durable) {}

  @Get()
  @McpTool({ name: 'durable', description: 'Reads through a durable provider' })
  get(@Req() request: IncomingMessage) {
    noteArgs(request, []);
    return { tenant: this.durable.tenant.tenantId };
  }
}

@Module({
  controllers: [NotesController, ScopedController, DurableController],
  providers: [
    RequestScoped,
    Durable,
    { provide: APP_GUARD, useClass: RecordingGuard('global') },
    { provide: APP_INTERCEPTOR, useClass: RecordingInterceptor('global') },
    { provide: APP_PIPE, useClass: RecordingPipe('global') },
    {
      provide: APP_PIPE,
      useValue: new ValidationPipe({
        whitelist: true,
        forbidNonWhitelisted: true,
        transform: true,
      }),
    },
    { provide: APP_FILTER, useClass: RecordingFilter('global') },
  ],
})
export class RecorderModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(RecordingMiddleware)
      .forRoutes(NotesController, ScopedController, DurableController);
  }
}
