// The tool of ../src/task.ts, as these servers describe it.
import { z } from 'zod';

export { report } from '../dist/servers/report.js';
export { TOOL } from '../dist/task.js';

export const DESCRIPTION = 'Create a task';

/** What class-validator checks of the route. */
export const CreateTask = z.object({
  title: z.string().min(1).max(200),
  priority: z.enum(['low', 'normal', 'high']).optional(),
  dueDate: z.iso.date().optional(),
});

export const answerTo = (task) => JSON.stringify({ id: 1, status: 'open', ...task });

/** A free port, for servers that do not tell which one they took. */
export async function freePort() {
  const { createServer } = await import('node:net');
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
