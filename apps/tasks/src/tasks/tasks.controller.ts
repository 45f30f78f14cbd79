import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  ParseIntPipe,
  Patch,
  Post,
} from '@nestjs/common';
import { type PaginatedResponse, parseQuery, type Summary } from '@fledge/query';
import { Paginated, Qs, Summarized } from '@fledge/query/nest';
import { ApiParam } from '@nestjs/swagger';
import { McpPrompt, McpResource, McpTool } from '@fledge/mcp';
import { CurrentUser, LoadCompany, LoadUser } from '../users/caller.decorators.js';
import type { User } from '../users/user.js';
import { CreateTaskDto, UpdateTaskDto } from './task.dto.js';
import { TASK_QUERY, TASK_SUMMARY, type TaskQuery, type TaskSummaryQuery } from './task-query.js';
import { Task } from './task.js';
import { TasksService } from './tasks.service.js';

const TaskId = ApiParam({
  name: 'id',
  description: 'Number of the task, as tasks_list returns it.',
});

@LoadCompany
@LoadUser
@Controller('tasks')
export class TasksController {
  constructor(private readonly tasks: TasksService) {}

  @Get()
  @Paginated(Task)
  @McpTool({
    name: 'tasks_list',
    description:
      'Lists tasks, one page at a time, ordered by due date unless `sort` says otherwise; tasks ' +
      'without one come last. `q` is text the title contains. `assignee` and `createdBy` are ids of ' +
      'users. `fields` lists the members that you need. Returns `data` and `meta`; request the next `page` while `meta.hasNext`.',
    ui: 'ui://tasks/list',
  })
  list(@Qs(TASK_QUERY) query: TaskQuery): Promise<PaginatedResponse<Partial<Task>>> {
    return this.tasks.list(query);
  }

  @Get('summary')
  @Summarized()
  @McpTool({
    name: 'tasks_summary',
    description:
      'Counts tasks in one call, over all pages of tasks_list: how many for each status, priority, assignee, day, week, ' +
      'month or year. `filter` and `q` choose the tasks as in tasks_list. Returns `facets` and `aggregates`.',
    examples: [
      {
        description: 'Open tasks for each assignee that are due in March',
        args: {
          filter: ['status:eq:open', 'dueDate:between:2026-03-01,2026-03-31'],
          group: ['assignee.name'],
        },
      },
    ],
  })
  summary(@Qs(TASK_SUMMARY) query: TaskSummaryQuery): Promise<Summary> {
    return this.tasks.summarize(query);
  }

  @Get('standup')
  @McpPrompt({ name: 'standup', description: 'Writes a stand-up of your open tasks.' })
  async standup(@CurrentUser() user: User): Promise<string> {
    const mine = { filter: [`assignee:eq:${user.id}`, 'status:eq:open'], limit: '100' };
    const { data } = await this.tasks.list(parseQuery(mine, TASK_QUERY));
    const lines = data.map(
      ({ id, title, dueDate }) => `- #${id} ${title} (${dueDate ?? 'no date'})`,
    );
    return ['Write my stand-up in three sentences. My open tasks:', ...lines].join('\n');
  }

  @Get(':id')
  @TaskId
  @McpResource({ uri: 'tasks://{id}', description: 'One task.', mimeType: 'application/json' })
  @McpTool({ name: 'tasks_get', description: 'Reads one task by its numeric id.' })
  get(@Param('id', ParseIntPipe) id: number): Promise<Task> {
    return this.tasks.get(id);
  }

  @Post()
  @McpTool({
    name: 'tasks_create',
    idempotency: true,
    description:
      'Creates a task and returns it with its id. Only the title is required. The status starts as ' +
      '`open` and the priority as `normal` unless given. `dueDate` is a date such as 2026-03-31; ' +
      '`assignee` is the id or e-mail address of a user.',
    examples: [
      {
        description: 'An urgent task for Ada',
        args: {
          title: 'Renew the TLS certificate of the shop',
          priority: 'urgent',
          dueDate: '2026-03-31',
          assignee: 'ada@example.com',
        },
      },
    ],
  })
  create(@Body() input: CreateTaskDto, @CurrentUser() user: User): Promise<Task> {
    return this.tasks.create(input, user);
  }

  @Patch(':id')
  @TaskId
  @McpTool({
    name: 'tasks_update',
    dryRun: true,
    description:
      'Changes the given properties of a task and returns the whole task; the others keep ' +
      'their values. Pass null as `dueDate` or `assignee` to clear it. To mark a task as done, prefer ' +
      'tasks_complete; setting another status reopens it.',
    annotations: { idempotentHint: true },
  })
  update(@Param('id', ParseIntPipe) id: number, @Body() changes: UpdateTaskDto): Promise<Task> {
    return this.tasks.update(id, changes);
  }

  @Post(':id/complete')
  @TaskId
  @HttpCode(200)
  @McpTool({
    name: 'tasks_complete',
    description:
      'Marks a task as done, records the time, and returns it. A task that is done already stays ' +
      'unchanged.',
    annotations: { idempotentHint: true },
  })
  complete(@Param('id', ParseIntPipe) id: number): Promise<Task> {
    return this.tasks.complete(id);
  }

  @Delete(':id')
  @TaskId
  @HttpCode(204)
  @McpTool({
    name: 'tasks_delete',
    description:
      'Deletes a task for good, after the user has agreed. Returns nothing. To keep finished work, use ' +
      'tasks_complete.',
    confirm: 'Delete task {id} for good?',
  })
  delete(@Param('id', ParseIntPipe) id: number): Promise<void> {
    return this.tasks.delete(id);
  }
}
