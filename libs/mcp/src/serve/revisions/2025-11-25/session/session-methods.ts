import { isLogLevel } from '../../../call/peer.js';
import type { EndpointOptions } from '../../../../mcp.defaults.js';
import { ErrorCode, RequestFault } from '../../../protocol/json-rpc.js';
import type { MethodAnswer } from '../../../methods/answer.js';
import { resourceNotFound } from '../../../results/good-response.js';
import type { McpCapabilities } from '../../../methods/capabilities.js';
import { commonMethods, type McpMethod } from '../../../methods/methods.js';
import type { Operations } from '../../../methods/operations.js';
import { type MethodTable, methodTable } from '../../../methods/serve-request.js';
import type { SessionRequest } from './session-requests.js';
import { NEWEST } from './session-revisions.js';
import { MOST_SUBSCRIPTIONS } from './session-share.js';

/** For clients of protocol versions up to 2025-11-25. */
export type SessionProtocol = MethodTable<SessionRequest>;

type SessionMethod = McpMethod<SessionRequest>;

export function sessionProtocol(options: EndpointOptions, operations: Operations): SessionProtocol {
  const capabilities = operations.capabilitiesOf(NEWEST);
  const methods = new Map<string, SessionMethod>([
    ...commonMethods(operations, capabilities),
    ['initialize', initialize(options, capabilities)],
    ['ping', () => Promise.resolve(DONE)],
    ['logging/setLevel', setLogLevel],
    ...(capabilities.resources ? subscriptions() : []),
  ]);
  return methodTable(options, operations, methods, NEWEST);
}

const DONE: MethodAnswer = { kind: 'result', result: {} };

function initialize(
  { server: serverInfo, instructions }: EndpointOptions,
  capabilities: McpCapabilities,
): SessionMethod {
  return ({ params, session }) => {
    session.introduce(params);
    const result = {
      protocolVersion: session.revision,
      capabilities,
      serverInfo,
      instructions,
    };
    return Promise.resolve({ kind: 'result', result });
  };
}

const setLogLevel: SessionMethod = async ({ params: { level }, session }) => {
  if (isLogLevel(level)) await session.settings.setLogLevel(level);
  return DONE;
};

function subscriptions(): [string, SessionMethod][] {
  return [
    [
      'resources/subscribe',
      async ({ params, target, session }) => {
        const uri = String(params['uri']);
        if (target?.kind !== 'resource') throw resourceNotFound(uri);
        if (await session.settings.subscribe(uri)) return DONE;
        throw new RequestFault(
          ErrorCode.Refused,
          `A session can subscribe to at most ${MOST_SUBSCRIPTIONS} resources. Unsubscribe from ` +
            'some resources',
        );
      },
    ],
    [
      'resources/unsubscribe',
      async ({ params, session }) => {
        await session.settings.unsubscribe(String(params['uri']));
        return DONE;
      },
    ],
  ];
}
