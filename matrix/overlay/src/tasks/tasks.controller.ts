import { FromContext } from '@fledge/core';
import { McpTool } from '@fledge/mcp';
import type { ParsedQuery } from '@fledge/query';
import { memoryAdapter } from '@fledge/query/memory';
import { Paginate, type Paginator, Qs } from '@fledge/query/nest';
import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { CreateTaskDto } from './create-task.dto.js';
import type { Reader } from './load-reader.js';
import { TasksService } from './tasks.service.js';
import { WriterGuard } from './writer.guard.js';

const TASKS = {
  columns: { id: 'integer', title: 'string', priority: 'integer' },
  searchColumns: ['title'],
} as const;

@Controller('tasks')
export class TasksController {
  constructor(private readonly tasks: TasksService) {}

  @Get()
  @McpTool({ name: 'tasks_list', description: 'Lists tasks' })
  list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>, @Paginate() paginate: Paginator) {
    return paginate(memoryAdapter.build(query, TASKS).apply(this.tasks.list()));
  }

  @Get('reader')
  @McpTool({ name: 'reader', description: 'Says who reads' })
  reader(@FromContext('reader') reader: Reader) {
    return reader;
  }

  @Get(':id')
  @McpTool({ name: 'tasks_find', description: 'Reads one task' })
  find(@Param('id') id: number) {
    return this.tasks.find(id);
  }

  @Post()
  @UseGuards(WriterGuard)
  @McpTool({ name: 'tasks_add', description: 'Adds a task' })
  add(@Body() dto: CreateTaskDto) {
    return {
      ...this.tasks.add(dto),
      isDto: dto instanceof CreateTaskDto,
      isDate: dto.due instanceof Date,
    };
  }
}
