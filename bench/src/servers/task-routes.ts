import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Injectable,
  Post,
  UseGuards,
} from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { IsIn, IsISO8601, IsOptional, IsString, MaxLength, MinLength } from 'class-validator';
import { McpTool } from '@fledge/mcp';

/** The route every benchmark of this folder calls, one way or another. */

export class CreateTask {
  @IsString() @MinLength(1) @MaxLength(200) title!: string;
  @IsOptional() @IsIn(['low', 'normal', 'high']) priority?: string;
  @IsOptional() @IsISO8601() dueDate?: string;
}

@Injectable()
class BearerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<IncomingMessage>();
    return headers.authorization?.startsWith('Bearer ') === true;
  }
}

@Controller('tasks')
export class TasksController {
  @Post()
  @UseGuards(BearerGuard)
  @McpTool({ name: 'tasks_create', description: 'Create a task' })
  create(@Body() task: CreateTask) {
    return { id: 1, status: 'open', ...task };
  }
}
