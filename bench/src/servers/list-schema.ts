import { z } from 'zod';

/** What a tool of the list benchmark takes: as JSON Schema it is about 1 kB. */
export const listedSchema = z.object({
  title: z
    .string()
    .min(1)
    .max(200)
    .describe('What has to be done, in one line, without a full stop'),
  description: z.string().max(4000).optional().describe('Everything that does not fit the title'),
  priority: z.enum(['low', 'normal', 'high', 'urgent']).optional().describe('How soon it matters'),
  assigneeId: z.string().min(36).max(36).optional().describe('Id of the person who does it'),
  labels: z.array(z.string().max(40)).max(20).optional().describe('Words to find it by'),
  estimateHours: z.number().min(0).max(400).optional().describe('Hours it will take, a guess'),
  notify: z.boolean().optional().describe('Whether to write to everyone who watches the board'),
  position: z.number().min(0).optional().describe('Place in its column, counted from the top'),
});

/** Plain JSON: zod leaves on its result what makes it a schema of zod again. */
export const listedJsonSchema = JSON.parse(JSON.stringify(z.toJSONSchema(listedSchema))) as Record<
  string,
  unknown
>;

/** Names of so many tools. */
export function toolNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `task_action_${i}`);
}

export const LISTED_DESCRIPTION = 'Changes one task of a board and tells whoever watches it';
