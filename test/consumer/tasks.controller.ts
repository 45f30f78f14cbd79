import { Ctx, FromContext, RequestContext } from '@fledge/core';
import { McpCall, McpCallInfo, McpTool } from '@fledge/mcp';
import type { ParsedQuery } from '@fledge/query';
import { Paginate, type Paginator, Qs } from '@fledge/query/nest';
import { CurrentTenant, type TenantContext } from '@fledge/tenant';
import { Body, Controller, Get, Param, ParseIntPipe, Post } from '@nestjs/common';
import { IsString, MinLength } from 'class-validator';
import { LoadReader, Reader } from './readers.js';
import { TASKS, TasksService } from './tasks.service.js';

export class NewTask {
  @IsString()
  @MinLength(2)
  title!: string;
}

/** Each route answers what its parameters hold, so that a pipe that rebuilt one shows. */
@Controller('tasks')
export class TasksController {
  constructor(private readonly tasks: TasksService) {}

  @Get()
  @McpTool({ name: 'list_tasks', description: 'Lists tasks' })
  list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>, @Paginate() paginate: Paginator) {
    return paginate(this.tasks.find(query));
  }

  @Get('fetched')
  fetched(@Paginate(TASKS) paginate: Paginator<typeof TASKS>) {
    return paginate((query) => this.tasks.find(query));
  }

  /** The parser of a context: no parameter that a pipe could see. */
  @Get('by-context')
  byContext(@Ctx() ctx: RequestContext) {
    const parsed = ctx.qs(TASKS);
    return ctx.paginate({ ...this.tasks.find(parsed), parsed });
  }

  @LoadReader
  @Get('context')
  @McpTool({ name: 'read_context', description: 'Tells what is known of the call' })
  context(
    @Ctx() ctx: RequestContext,
    @FromContext('reader') reader: Reader | null,
    @CurrentTenant() tenant: TenantContext,
    @McpCallInfo() call: McpCall | undefined,
  ) {
    return {
      url: ctx.url,
      reader: reader?.greeting(),
      tenant: tenant.tenantId,
      tool: call?.name,
      injected: this.tasks.injected(),
    };
  }

  @Get(':id')
  @McpTool({ name: 'get_task', description: 'One task' })
  find(@Param('id', ParseIntPipe) id: number) {
    return { id, kind: typeof id };
  }

  @Post()
  @McpTool({ name: 'create_task', description: 'Creates a task' })
  create(@Body() task: NewTask) {
    return { isTask: task instanceof NewTask, ...task };
  }
}
