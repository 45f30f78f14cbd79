import { isObject, objectOf } from '@fledge-internal/options';
import type { PublishedList } from '../../publish/catalogue/published-list.js';
import { ErrorCode, type JsonObject, RequestFault, shortened } from '../protocol/json-rpc.js';
import type { MethodAnswer } from './answer.js';
import type { McpCapabilities } from './capabilities.js';
import type { ClientRequest } from './client-request.js';
import type { CompletionRequest } from './completer.js';
import type { Operations } from './operations.js';
import type { ToolCaller } from './tool-caller.js';

/**
 * Handles a request. The parameters and scopes of the request have already been checked.
 * @throws RequestFault, or rejects with RequestFault. The client receives this error
 */
export type McpMethod<Request extends ClientRequest = ClientRequest> = (
  request: Request,
) => Promise<MethodAnswer>;

/** A method is missing if the endpoint publishes no items for this method. */
export function commonMethods(
  operations: Operations,
  capabilities: McpCapabilities,
): ReadonlyMap<string, McpMethod> {
  const { tools, resources, prompts, completer } = operations;
  const listMethod = (list: () => List) => listMethodOf(list, operations);
  const methods = new Map<string, McpMethod>([
    ['tools/list', toolListMethod(operations, listMethod)],
    ['tools/call', toolCallMethod(tools)],
  ]);
  if (capabilities.resources) {
    methods
      .set(
        'resources/list',
        listMethod(() => resources.listed),
      )
      .set(
        'resources/templates/list',
        listMethod(() => resources.listedTemplates),
      )
      .set('resources/read', (request) => resources.read(request));
  }
  if (capabilities.prompts) {
    methods
      .set(
        'prompts/list',
        listMethod(() => prompts.listed),
      )
      .set('prompts/get', (request) => prompts.answer(request));
  }
  if (capabilities.completions) {
    methods.set('completion/complete', (request) =>
      completer.complete(completionRequestOf(request.params), request),
    );
  }
  return methods;
}

function completionRequestOf({ ref, argument, context }: JsonObject): CompletionRequest {
  const known = isObject(context) ? objectOf(context['arguments']) : {};
  return { ref, argument, known } as unknown as CompletionRequest;
}

/**
 * Field of `_meta` in a `tools/list` request. The field requests the complete tool list, without
 * tools that only find or call other tools. The command `fledge mcp list` also sends this field.
 */
export const EVERY_TOOL = 'fledge/everyTool';

/** Extensions may shorten the list, unless the request contains `EVERY_TOOL`. */
function toolListMethod(
  operations: Operations,
  listMethod: (list: () => List) => McpMethod,
): McpMethod {
  const short = listMethod(() => operations.tools.listed);
  const whole = listMethod(() => operations.everyTool);
  return (request) => {
    const meta = request.params['_meta'];
    return isObject(meta) && meta[EVERY_TOOL] === true ? whole(request) : short(request);
  };
}

/** @throws RequestFault if the tool does not exist */
function toolCallMethod(tools: ToolCaller): McpMethod {
  return (request) => {
    const { target, params } = request;
    if (target?.kind === 'tool') {
      return tools.call(target.tool, objectOf(params['arguments']), request);
    }
    throw new RequestFault(ErrorCode.InvalidParams, tools.unknown(String(params['name'])));
  };
}

type List = Pick<PublishedList<never>, 'json' | 'page'>;

/** Without a cursor, the first page is sent (MCP 2025-11-25, Pagination). */
function listMethodOf(listOf: () => List, operations: Operations): McpMethod {
  return async (request) => {
    const list = listOf();
    const { cursor } = request.params;
    const { request: caller } = request.caller;
    const form = operations.listFormFor(request);
    const json =
      typeof cursor === 'string'
        ? await list.page(caller, cursor, form)
        : await list.json(caller, form);
    if (json === undefined) {
      throw new RequestFault(
        ErrorCode.InvalidParams,
        `Unknown cursor: ${shortened(String(cursor))}. Send the \`nextCursor\` of an earlier ` +
          'page, or omit `cursor`',
      );
    }
    return { kind: 'list', json };
  };
}
