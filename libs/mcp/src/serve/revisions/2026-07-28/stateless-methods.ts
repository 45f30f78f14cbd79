import type { EndpointOptions } from '../../../mcp.defaults.js';
import type { McpCapabilities } from '../../methods/capabilities.js';
import { commonMethods, type McpMethod } from '../../methods/methods.js';
import type { Operations } from '../../methods/operations.js';
import { type MethodTable, methodTable } from '../../methods/serve-request.js';
import { SERVER_KEY } from './envelope.js';
import { REVISION } from '../message-revision.js';
import type { Listeners } from './listeners.js';
import { NOT_CACHED } from '../../methods/list-caching.js';
import type { StatelessRequest } from './stateless-request.js';
type StatelessMethod = McpMethod<StatelessRequest>;

export function statelessMethods(
  options: EndpointOptions,
  operations: Operations,
  listeners: Listeners,
): MethodTable<StatelessRequest> {
  const capabilities = operations.capabilitiesOf(REVISION);
  const methods = new Map<string, StatelessMethod>([
    ...commonMethods(operations, capabilities),
    ['server/discover', discover(options, capabilities)],
    ['subscriptions/listen', (request) => listeners.listen(request)],
  ]);
  for (const [name, method] of methods) {
    if (MAY_ASK.has(name)) methods.set(name, inRounds(method));
  }
  return methodTable(options, operations, methods, REVISION);
}

/** Methods that may ask the client. To answer, the client repeats the request with the answers. */
const MAY_ASK = new Set(['tools/call', 'prompts/get', 'resources/read']);

function inRounds(method: StatelessMethod): StatelessMethod {
  return (request) => {
    request.readRounds();
    return method(request);
  };
}

/** Only this result contains all information about the server. */
function discover(
  { server, instructions }: EndpointOptions,
  capabilities: McpCapabilities,
): StatelessMethod {
  const result = {
    supportedVersions: [REVISION],
    capabilities,
    instructions,
    resultType: 'complete',
    ...NOT_CACHED,
    _meta: { [SERVER_KEY]: server },
  };
  return () => Promise.resolve({ kind: 'typed', result });
}
