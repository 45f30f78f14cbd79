import type { ParsedQuery } from '@fledge/query';
import { Paginate, type Paginator, Qs } from '@fledge/query/nest';
import { CurrentTenant, type TenantContext } from '@fledge/tenant';
import {
  Body,
  Controller,
  Get,
  Param,
  ParseUUIDPipe,
  Patch,
  Post,
  Put,
  Sse,
  Version,
} from '@nestjs/common';
import { map } from 'rxjs';
import { CurrentUser, type User } from '../auth/user.js';
import { CreateTaskDto, RenameTaskDto, UpdateTaskDto } from './task.dto.js';
import { TASKS, TasksService } from './tasks.service.js';

@Controller({ path: 'tasks', version: '1' })
export class TasksController {
  constructor(private readonly tasks: TasksService) {}

  @Get()
  async list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>, @Paginate() paginate: Paginator) {
    const [data, total] = await this.tasks.page(query);
    return paginate({ data, total });
  }

  @Get('whoami')
  whoami(@CurrentUser() user: User, @CurrentTenant() tenant: TenantContext) {
    return { user: user.name, tenant: tenant.tenantId };
  }

  @Sse('events')
  events() {
    return this.tasks.additions().pipe(map((data) => ({ data })));
  }

  @Get(':id')
  find(@Param('id', ParseUUIDPipe) id: string) {
    return this.tasks.find(id);
  }

  @Get(':id')
  @Version('2')
  async findWithOwner(@Param('id', ParseUUIDPipe) id: string, @CurrentUser() user: User) {
    return { data: await this.tasks.find(id), owner: user.name };
  }

  @Post()
  add(@Body() dto: CreateTaskDto) {
    return this.tasks.add(dto);
  }

  @Patch(':id')
  change(@Param('id', ParseUUIDPipe) id: string, @Body() dto: UpdateTaskDto) {
    return this.tasks.change(id, dto);
  }

  @Put(':id/title')
  rename(@Param('id', ParseUUIDPipe) id: string, @Body() dto: RenameTaskDto) {
    return this.tasks.change(id, dto);
  }
}
