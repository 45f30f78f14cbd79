import type { IncomingHttpHeaders } from 'node:http';
import { ErrorCode } from '../../serve/protocol/json-rpc.js';
import { RefusalFault } from '../../serve/protocol/refusals.js';
import type { McpExtension } from '../../serve/methods/extension.js';
import { addHeaders, type ArgumentHeader, readHeaders } from './declared-headers.js';
import { findMismatch } from './header-mismatch.js';
import { HEADERS_TOOL_OPTION, type ResolvedHeaders } from './header-options.js';

/** The first protocol version in which clients repeat arguments as headers. */
const SINCE = '2026-07-28';

/**
 * Tells clients to send arguments also as headers. Proxies can use these headers for routing or
 * rate limits.
 */
export const argumentHeaders: McpExtension<
  never,
  undefined,
  ResolvedHeaders,
  readonly ArgumentHeader[]
> = {
  name: 'argument-headers',
  author: { tool: HEADERS_TOOL_OPTION },

  publish: () => ({
    tool({ inputSchema: schema, route: { label } }, { headers }) {
      const inputSchema = headers ? addHeaders(schema, headers, label) : schema;
      const data = readHeaders(inputSchema, label);
      return data && { data, draft: { inputSchema } };
    },
  }),

  create: () =>
    Promise.resolve({
      around: (_tool, headers) => (call, next) => {
        const { origin, via } = call.peer.caller;
        const revision = origin.headers['mcp-protocol-version'];
        // Stdio has no headers.
        if (revision === undefined || revision < SINCE) return next(call);
        // A client that uses `call_tool` does not know which headers the tool requires.
        const required = via === undefined ? headers : headers.filter(isSentIn(origin.headers));
        const message = findMismatch(required, call.args, origin.headers);
        if (message === undefined) return next(call);
        throw new RefusalFault({ status: 400, code: ErrorCode.HeaderMismatch, message });
      },
    }),
};

function isSentIn(headers: IncomingHttpHeaders): (header: ArgumentHeader) => boolean {
  return ({ header }) => headers[header] !== undefined;
}
