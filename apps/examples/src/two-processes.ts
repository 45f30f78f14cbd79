// Two processes behind any load balancer: one takes the question round, the other the user's answer.
// Clients of revision 2026-07-28 need no session. STATE_SECRET signs what they send back.
import 'reflect-metadata';
import { Controller, Delete, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpCall, McpModule, McpTool } from '@fledge/mcp';
import { z } from 'zod';

@Controller('projects')
class ProjectsController {
  constructor(private readonly call: McpCall) {}

  @Delete(':name')
  @McpTool({ name: 'projects_delete', description: 'Deletes a project, if its user agrees' })
  async delete(@Param('name') name: string) {
    const answer = await this.call.elicit({
      message: `Delete ${name}?`,
      schema: z.object({ sure: z.boolean() }),
    });
    const sure = answer.action === 'accept' && answer.content.sure;
    return { deleted: sure ? name : null, by: process.pid };
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      name: 'projects',
      sessions: { max: 10 },
      stateSecret: process.env['STATE_SECRET'] ?? 'the same 32 bytes or more everywhere',
    }),
  ],
  controllers: [ProjectsController],
})
class AppModule {}

const app = await NestFactory.create(AppModule);
await app.listen(process.env['PORT'] ?? 3000);
