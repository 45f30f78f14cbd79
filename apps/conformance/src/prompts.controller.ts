import { Controller, Get, Param, Query } from '@nestjs/common';
import { type JsonSchema, McpCall, McpPrompt } from '@fledge/mcp';
import { PNG } from './media.js';

const CONTEXT: JsonSchema = {
  type: 'object',
  properties: { context: { type: 'string' } },
  required: ['context'],
};

/** Routes that answer the messages of a prompt. */
@Controller('prompts')
export class PromptsController {
  constructor(private readonly call: McpCall) {}

  @Get('simple')
  @McpPrompt({ name: 'test_simple_prompt', description: 'A text' })
  simple(): string {
    return 'This is a simple prompt for testing.';
  }

  @Get('arguments/:arg1/:arg2')
  @McpPrompt({
    name: 'test_prompt_with_arguments',
    description: 'A text made of two arguments',
    complete: { arg1: 'wordsLike' },
  })
  withArguments(@Param('arg1') arg1: string, @Param('arg2') arg2: string): string {
    return `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`;
  }

  @Get('words')
  wordsLike(@Query('value') value: string): string[] {
    return ['paris', 'park', 'party'].filter((word) => word.startsWith(value));
  }

  @Get('resource/:resourceUri')
  @McpPrompt({
    name: 'test_prompt_with_embedded_resource',
    description: 'A resource and what to do with it',
  })
  withResource(@Param('resourceUri') resourceUri: string): object[] {
    const resource = {
      uri: resourceUri,
      mimeType: 'text/plain',
      text: 'Embedded resource content for testing.',
    };
    return [
      { role: 'user', content: { type: 'resource', resource } },
      { role: 'user', content: 'Please process the embedded resource above.' },
    ];
  }

  @Get('image')
  @McpPrompt({ name: 'test_prompt_with_image', description: 'An image and what to do with it' })
  withImage(): object[] {
    const image = { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' };
    return [
      { role: 'user', content: image },
      { role: 'user', content: 'Please analyze the image above.' },
    ];
  }

  @Get('input-required')
  @McpPrompt({
    name: 'test_input_required_result_prompt',
    description: 'Asks the user what it is about',
  })
  async withInput(): Promise<string> {
    const answer = await this.call.elicit<{ context: string }>({
      key: 'user_context',
      message: 'What context should the prompt use?',
      schema: CONTEXT,
    });
    return answer.action === 'accept'
      ? `Work in this context: ${answer.content.context}`
      : 'Work without a context.';
  }
}
