import { Controller, Post } from '@nestjs/common';
import { type JsonSchema, McpCall, type McpElicitation, type McpRoot, McpTool } from '@fledge/mcp';
import { textOf } from './sampling.controller.js';

const NAME = formOf('name', 'string');
const COLOR = formOf('color', 'string');
const OK = formOf('ok', 'boolean');

/**
 * Multi round-trip requests (2026-07-28): each tool ends with its questions and runs again with the
 * answers. In a session the same tools ask while they run.
 */
@Controller('input-required')
export class InputRequiredController {
  constructor(private readonly call: McpCall) {}

  @Post('elicitation')
  @McpTool({
    name: 'test_input_required_result_elicitation',
    description: 'Asks for a name and greets',
  })
  async greet(): Promise<string> {
    const answer = await this.askName('user_name', 'What is your name?');
    return `Hello, ${fieldOf(answer, 'name')}!`;
  }

  @Post('sampling')
  @McpTool({
    name: 'test_input_required_result_sampling',
    description: "Asks the client's model for a capital",
  })
  async capital(): Promise<string> {
    const sample = await this.call.sample({
      key: 'capital_question',
      messages: [
        { role: 'user', content: { type: 'text', text: 'What is the capital of France?' } },
      ],
      maxTokens: 100,
    });
    return textOf(sample);
  }

  @Post('roots')
  @McpTool({
    name: 'test_input_required_result_list_roots',
    description: 'Asks where the client works',
  })
  async roots(): Promise<string> {
    const roots = await this.call.listRoots('client_roots');
    return `Roots: ${urisOf(roots)}`;
  }

  @Post('state')
  @McpTool({
    name: 'test_input_required_result_request_state',
    description: 'Asks for a confirmation',
  })
  async confirm(): Promise<string> {
    const answer = await this.askOk();
    return answer.action === 'accept' ? 'state-ok' : 'Not confirmed';
  }

  @Post('tampered-state')
  @McpTool({
    name: 'test_input_required_result_tampered_state',
    description: 'Asks for a confirmation that cannot be forged',
  })
  async confirmSafely(): Promise<string> {
    return this.confirm();
  }

  @Post('multiple')
  @McpTool({
    name: 'test_input_required_result_multiple_inputs',
    description: 'Asks for three things at once',
  })
  async multiple(): Promise<string> {
    const [name, greeting, roots] = await Promise.all([
      this.askName('user_name', 'What is your name?'),
      this.askGreeting(),
      this.call.listRoots('client_roots'),
    ]);
    return `${textOf(greeting)} ${fieldOf(name, 'name')} works in ${urisOf(roots)}.`;
  }

  @Post('rounds')
  @McpTool({
    name: 'test_input_required_result_multi_round',
    description: 'Asks for a name, then for a color',
  })
  async rounds(): Promise<string> {
    const name = await this.askName('step1', 'Step 1: What is your name?');
    const color = await this.call.elicit({
      key: 'step2',
      message: 'Step 2: What is your favorite color?',
      schema: COLOR,
    });
    return `${fieldOf(name, 'name')} likes ${fieldOf(color, 'color')}.`;
  }

  @Post('capabilities')
  @McpTool({
    name: 'test_input_required_result_capabilities',
    description: 'Asks only what the client can be asked',
  })
  async capabilities(): Promise<string> {
    const [name, greeting] = await Promise.all([
      this.call.supports('elicitation')
        ? this.askName('user_name', 'What is your name?')
        : undefined,
      this.call.supports('sampling') ? this.askGreeting() : undefined,
    ]);
    return `${greeting ? textOf(greeting) : 'Hello'} ${name ? fieldOf(name, 'name') : 'you'}`;
  }

  private askName(key: string, message: string) {
    return this.call.elicit({ key, message, schema: NAME });
  }

  private askOk() {
    return this.call.elicit({ key: 'confirm', message: 'Please confirm', schema: OK });
  }

  private askGreeting() {
    return this.call.sample({
      key: 'greeting',
      messages: [{ role: 'user', content: { type: 'text', text: 'Generate a greeting' } }],
      maxTokens: 50,
    });
  }
}

function formOf(field: string, type: 'string' | 'boolean'): JsonSchema {
  return { type: 'object', properties: { [field]: { type } }, required: [field] };
}

function fieldOf(answer: McpElicitation<Readonly<Record<string, unknown>>>, field: string): string {
  return answer.action === 'accept' ? String(answer.content[field]) : `(${answer.action})`;
}

function urisOf(roots: readonly McpRoot[] | undefined): string {
  return roots?.map(({ uri }) => uri).join(', ') || '(no place)';
}
