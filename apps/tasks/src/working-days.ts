import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/**
 * A tool that is not a route. Agents use it for due dates, because models often miscount working
 * days. The guards of routes do not run for it, which is safe because it needs no user.
 */
export const workingDays = new McpServer({ name: 'working-days', version: '1.0.0' });

workingDays.registerTool(
  'add_working_days',
  {
    title: 'Add working days',
    description: 'Returns the date that is some working days (Monday to Friday) after another.',
    inputSchema: z.object({
      from: z.iso.date().describe('A date such as 2026-03-31.'),
      days: z.int().min(0).max(1_000).describe('How many working days later.'),
    }),
    annotations: {
      title: 'Add working days',
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: false,
    },
  },
  ({ from, days }) => ({ content: [{ type: 'text', text: addWorkingDays(from, days) }] }),
);

/** @param from a date such as `2026-03-31` */
function addWorkingDays(from: string, days: number): string {
  const date = new Date(`${from}T00:00:00Z`);
  for (let left = days; left > 0;) {
    date.setUTCDate(date.getUTCDate() + 1);
    if (date.getUTCDay() % 6 !== 0) left -= 1;
  }
  return date.toISOString().slice(0, 10);
}
