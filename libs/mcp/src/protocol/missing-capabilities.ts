import { canBeAsked, type CallPeer, type ClientFeature } from '../live/call-peer.js';
import { ErrorCode } from './json-rpc.js';
import { RequestFault } from './request-fault.js';

/** What a client declares of a feature that calls use. */
const CAPABILITIES: Readonly<Record<ClientFeature, object>> = {
  elicitation: { form: {} },
  sampling: {},
  roots: {},
};

/** Why what a call demands cannot be asked of the client; undefined where it can (MCP 2026-07-28, -32021). */
export function missingCapabilities(peer: CallPeer): RequestFault | undefined {
  const features = (peer.demand ?? []).map(({ feature }) => feature);
  const missing = [...new Set(features)].filter((feature) => !canBeAsked(peer, feature));
  if (missing.length === 0) return undefined;
  return new RequestFault(
    ErrorCode.MissingClientCapability,
    `Missing required client capability: ${missing.join(', ')}`,
    {
      requiredCapabilities: Object.fromEntries(
        missing.map((feature) => [feature, CAPABILITIES[feature]]),
      ),
    },
  );
}
