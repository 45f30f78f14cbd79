import { expect, it } from '@jest/globals';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { formSchemaOf } from '../src/serve/call/elicitation.js';

it('has only formats that clients accept', () => {
  const requestedSchema = formSchemaOf(
    z.object({ id: z.uuid(), address: z.ipv4(), mail: z.email(), due: z.iso.date() }),
  );
  expect(requestedSchema['properties']).toEqual({
    id: { type: 'string' },
    address: { type: 'string' },
    mail: { type: 'string', format: 'email' },
    due: { type: 'string', format: 'date' },
  });
  ElicitRequestSchema.parse({
    method: 'elicitation/create',
    params: { message: 'Which?', requestedSchema },
  });
});
