import { Body, Controller, Post } from '@nestjs/common';
import { McpCall, type McpSample, McpTool } from '@fledge/mcp';

/** Questions to the client's model. */
@Controller('sampling')
export class SamplingController {
  constructor(private readonly call: McpCall) {}

  @Post()
  @McpTool({
    name: 'test_sampling',
    description: "Puts a prompt to the client's model",
    inputSchema: {
      type: 'object',
      properties: { prompt: { type: 'string', description: 'What the model is asked' } },
      required: ['prompt'],
    },
  })
  async sample(@Body('prompt') prompt: string): Promise<string> {
    const sample = await this.call.sample({
      messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
      maxTokens: 100,
    });
    return `LLM response: ${textOf(sample)}`;
  }

  @Post('required')
  @McpTool({
    name: 'test_missing_capability',
    description: "Needs the client's model, whether it has one or not",
  })
  required(): Promise<string> {
    return this.sample('Say something.');
  }
}

/** The text of what a model said. */
export function textOf(sample: McpSample | undefined): string {
  const { text } = (sample?.content ?? {}) as { readonly text?: string };
  return text ?? '(no text)';
}
