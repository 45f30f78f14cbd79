import { Body, Controller, Post } from '@nestjs/common';
import { type JsonSchema, McpCall, type McpElicitation, McpTool } from '@fledge/mcp';

const USER: JsonSchema = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
};

/** SEP-1034: a default value for every type. */
const DEFAULTS: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

/** SEP-1330: every way to offer a choice. */
const CHOICES: JsonSchema = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: {
      type: 'string',
      oneOf: [
        { const: 'value1', title: 'First Option' },
        { const: 'value2', title: 'Second Option' },
        { const: 'value3', title: 'Third Option' },
      ],
    },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {
      type: 'array',
      items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    },
    titledMulti: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'value1', title: 'First Choice' },
          { const: 'value2', title: 'Second Choice' },
          { const: 'value3', title: 'Third Choice' },
        ],
      },
    },
  },
};

/** Forms for the user, and what comes of them. */
@Controller('elicitation')
export class ElicitationController {
  constructor(private readonly call: McpCall) {}

  @Post('user')
  @McpTool({
    name: 'test_elicitation',
    description: 'Asks the user who they are',
    inputSchema: {
      type: 'object',
      properties: { message: { type: 'string', description: 'Shown to the user' } },
      required: ['message'],
    },
  })
  async user(@Body('message') message: string): Promise<string> {
    const answer = await this.call.elicit({ message, schema: USER });
    return `User response: ${summaryOf(answer)}`;
  }

  @Post('defaults')
  @McpTool({
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks with a form that is filled in already',
  })
  async defaults(): Promise<string> {
    const message = 'Please review and update the form fields with defaults';
    const answer = await this.call.elicit({ message, schema: DEFAULTS });
    return `Elicitation completed: ${summaryOf(answer)}`;
  }

  @Post('choices')
  @McpTool({
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks with a form of choices of every kind',
  })
  async choices(): Promise<string> {
    const message = 'Please select options from the enum fields';
    const answer = await this.call.elicit({ message, schema: CHOICES });
    return `Elicitation completed: ${summaryOf(answer)}`;
  }

  @Post('streaming')
  @McpTool({
    name: 'test_streaming_elicitation',
    description: 'Says how far it is, then asks the user',
  })
  async streaming(): Promise<string> {
    this.call.progress(1, 2);
    const answer = await this.call.elicit({ message: 'Who are you?', schema: USER });
    return `Elicitation completed: ${summaryOf(answer)}`;
  }
}

function summaryOf(answer: McpElicitation<unknown>): string {
  const content = answer.action === 'accept' ? answer.content : {};
  return `action=${answer.action}, content=${JSON.stringify(content)}`;
}
