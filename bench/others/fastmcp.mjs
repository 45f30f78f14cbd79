// FastMCP, as its README sets one up. Argument: `stateless` for its stateless mode.
import { FastMCP } from 'fastmcp';
import { answerTo, CreateTask, DESCRIPTION, freePort, report, TOOL } from './task.mjs';

const server = new FastMCP({ name: 'bench', version: '1.0.0' });
server.addTool({
  name: TOOL,
  description: DESCRIPTION,
  parameters: CreateTask,
  execute: async (task) => answerTo(task),
});
const port = await freePort();
const stateless = process.argv[2] === 'stateless';
await server.start({
  transportType: 'httpStream',
  httpStream: { port, host: '127.0.0.1', stateless },
});
report(port);
