import { setTimeout as pause } from 'node:timers/promises';
import {
  Controller,
  Get,
  ParseFloatPipe,
  Query,
  UnprocessableEntityException,
} from '@nestjs/common';
import { McpCall, McpTool } from '@fledge/mcp';

const TEXT = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const AGREEMENT = { type: 'object', properties: { confirm: { type: 'boolean' } } };

/** Tools that the suite of the extension io.modelcontextprotocol/tasks calls. */
@Controller('tasks')
export class TasksController {
  constructor(private readonly call: McpCall) {}

  @Get('greet')
  @McpTool({ name: 'greet', description: 'Greets at once' })
  greet(@Query('name') name: string) {
    return `Hello, ${name}!`;
  }

  @Get('slow')
  @McpTool({ name: 'slow_compute', description: 'Takes its time', task: true, timeoutMs: 120_000 })
  async slow(@Query('seconds', ParseFloatPipe) seconds: number, @Query('label') label?: string) {
    const { signal } = this.call;
    await pause(seconds * 1_000, undefined, signal ? { signal } : {});
    return { label, seconds };
  }

  @Get('failing')
  @McpTool({ name: 'failing_job', description: 'Fails', task: { required: true } })
  async fail() {
    await pause(1_000);
    throw new UnprocessableEntityException('The job failed');
  }

  /** Asks for what the client does not declare, which is a JSON-RPC error. */
  @Get('protocol-error')
  @McpTool({ name: 'protocol_error_job', description: 'Needs roots', task: true })
  async needRoots() {
    return { roots: await this.call.listRoots() };
  }

  @Get('confirm')
  @McpTool({ name: 'confirm_delete', description: 'Deletes after a question', task: true })
  async confirm(@Query('filename') filename: string) {
    const answer = await this.call.elicit({ message: `Delete ${filename}?`, schema: AGREEMENT });
    return { filename, deleted: answer.action === 'accept' };
  }

  @Get('multi')
  @McpTool({ name: 'multi_input', description: 'Asks two questions at once', task: true })
  async ask() {
    const questions = ['first', 'second'].map((key) =>
      this.call.elicit({ message: `What is the ${key} name?`, schema: TEXT, key }),
    );
    return { answers: await Promise.all(questions) };
  }

  @Get('rounds')
  @McpTool({
    name: 'test_tool_with_task',
    description: 'Asks for a name before it becomes a task',
    task: { required: true, start: 'route' },
  })
  async rounds() {
    const answer = await this.call.elicit({ message: 'Who?', schema: TEXT, key: 'user_name' });
    await this.call.startTask();
    const { name } = answer.action === 'accept' ? answer.content : { name: 'nobody' };
    return `Hello, ${String(name)}!`;
  }
}
