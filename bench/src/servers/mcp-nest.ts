// The tool of `task-routes.ts` as @rekog/mcp-nest has it: a method of an @McpController that Nest's RPC
// pipeline runs, as its README sets one up. No HTTP route stands behind it.
// Arguments: platform (Express | Fastify), then `stateful` or `stateless`; 2026-07-28 comes with both.
import 'reflect-metadata';
import type { IncomingMessage } from 'node:http';
import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  Module,
  UseGuards,
} from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type McpContext, McpController, Tool } from '@rekog/mcp-nest';
import { z } from 'zod';
import { serveMcpNest } from './mcp-nest-app.js';

/** What class-validator checks of the route. */
const CreateTask = z.object({
  title: z.string().min(1).max(200),
  priority: z.enum(['low', 'normal', 'high']).optional(),
  dueDate: z.iso.date().optional(),
});

@Injectable()
class BearerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToRpc().getContext<McpContext>().getRawRequest<IncomingMessage>();
    return request?.headers.authorization === 'Bearer bench';
  }
}

@McpController()
class TasksController {
  @Tool({ name: 'tasks_create', description: 'Create a task', parameters: CreateTask })
  @UseGuards(BearerGuard)
  create(@Payload() task: z.infer<typeof CreateTask>) {
    return { id: 1, status: 'open', ...task };
  }
}

@Module({ controllers: [TasksController] })
class AppModule {}

const [platform, mode] = process.argv.slice(2);
await serveMcpNest(AppModule, { platform, stateful: mode === 'stateful' });
