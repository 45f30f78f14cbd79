import type { McpCall } from '@fledge/mcp';
import { ConflictException } from '@nestjs/common';

/**
 * Asks the user if the MCP client supports elicitation. Plain HTTP requests pass without a question.
 * @throws ConflictException if the user does not agree
 */
export async function requireAgreement(call: McpCall, message: string): Promise<void> {
  if (!call.supports('elicitation')) return;
  const schema = {
    type: 'object',
    properties: { confirm: { type: 'boolean', title: 'Yes' } },
    required: ['confirm'],
  };
  const answer = await call.elicit<{ confirm: boolean }>({ message, schema });
  if (answer.action === 'accept' && answer.content.confirm) return;
  throw new ConflictException('The user did not agree.');
}
