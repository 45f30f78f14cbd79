// One zod schema checks the body, types the handler, and is the input schema of the tool.
import 'reflect-metadata';
import { Body, Controller, Module, Post, StandardSchemaValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, McpTool } from '@fledge/mcp';
import { z } from 'zod';

const NewTask = z.object({
  title: z.string().min(1).max(200).describe('What to do'),
  priority: z.int().min(1).max(5).default(3),
  labels: z.array(z.string()).max(10).default([]),
});
type NewTask = z.infer<typeof NewTask>;

@Controller('tasks')
class TasksController {
  private readonly tasks: (NewTask & { id: number })[] = [];

  @Post()
  @McpTool({ name: 'tasks_create', description: 'Creates a task' })
  create(@Body({ schema: NewTask }) task: NewTask) {
    const created = { id: this.tasks.length + 1, ...task };
    this.tasks.push(created);
    return created;
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'tasks', sessions: { max: 10 } })],
  controllers: [TasksController],
})
class AppModule {}

const app = await NestFactory.create(AppModule);
app.useGlobalPipes(new StandardSchemaValidationPipe());
await app.listen(process.env['PORT'] ?? 3000);
