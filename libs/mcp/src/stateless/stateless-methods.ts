import type { EndpointOptions } from '../mcp.defaults.js';
import { commonMethods, type McpMethod, toolCallMethod } from '../operations/methods.js';
import type { Operations } from '../operations/operations.js';
import { type MethodTable, methodTable } from '../operations/serve-request.js';
import { REVISION, SERVER_KEY } from './envelope.js';
import type { Listeners } from './listeners.js';
import { NOT_CACHED } from './result-writer.js';
import type { StatelessRequest } from './stateless-request.js';
import { asTask, isTaskTool } from './tasks/task-calls.js';
import { TASKS_EXTENSION } from './tasks/task-capability.js';
import { taskMethods } from './tasks/task-methods.js';
import type { Tasks } from './tasks/tasks.js';

type StatelessMethod = McpMethod<StatelessRequest>;

/** The methods of 2026-07-28. */
export function statelessMethods(
  options: EndpointOptions,
  operations: Operations,
  tasks: Tasks | undefined,
  listeners: Listeners,
): MethodTable<StatelessRequest> {
  const methods = new Map<string, StatelessMethod>([
    ...commonMethods(operations),
    ['server/discover', discover(options, operations, tasks)],
    ['subscriptions/listen', (request) => listeners.listen(request)],
    ['tools/call', callTool(operations, tasks)],
    ...(tasks ? taskMethods(tasks) : []),
  ]);
  for (const [name, method] of methods) {
    if (MAY_ASK.has(name)) methods.set(name, inRounds(method));
  }
  return methodTable(options, operations, methods);
}

/** The methods that may ask the client, which then sends the request again with its answers. */
const MAY_ASK = new Set(['tools/call', 'prompts/get', 'resources/read']);

function inRounds(method: StatelessMethod): StatelessMethod {
  return (request) => {
    request.readRounds();
    return method(request);
  };
}

/** Only this result has everything that the server says of itself. */
function discover(
  { server, instructions }: EndpointOptions,
  { capabilities }: Operations,
  tasks: Tasks | undefined,
): StatelessMethod {
  const extensions = tasks
    ? { ...capabilities.extensions, [TASKS_EXTENSION]: {} }
    : capabilities.extensions;
  const result = {
    supportedVersions: [REVISION],
    capabilities: { ...capabilities, extensions },
    instructions,
    resultType: 'complete',
    ...NOT_CACHED,
    _meta: { [SERVER_KEY]: server },
  };
  return () => Promise.resolve({ kind: 'typed', result });
}

function callTool({ tools }: Operations, tasks: Tasks | undefined): StatelessMethod {
  return toolCallMethod(tools, (tool, args, request: StatelessRequest) =>
    tools.call(
      tool,
      args,
      request,
      tasks && isTaskTool(tool) ? asTask(tasks, tool, request) : undefined,
    ),
  );
}
