import type { ArgumentValidatorCompiler } from '../arguments/argument-validator.js';
import type { Dispatcher } from '../calls/dispatcher.js';
import type { Peer } from '../calls/peer.js';
import type { CallResponse } from '../calls/recording.js';
import type { Tool } from '../catalogue/tool.js';
import { BODY } from '../schema/declared-output.js';
import { cutResult, keeper } from './overflow.js';
import type { ResultLinks } from './result-links.js';
import { selectMembers } from './selected-members.js';
import { StructuredContent } from './structured-content.js';
import type { ToolResult } from './tool-result.js';

/** Sends of an answer what the caller selected, what the limit allows, and what the output schema describes. */
export class ResultShaper {
  private readonly structured: StructuredContent;

  /** @param links undefined: no tool has `overflow: 'link'` */
  constructor(
    validatorOf: ArgumentValidatorCompiler,
    private readonly links: ResultLinks | undefined,
    private readonly dispatcher: Dispatcher,
    warn: (warning: string) => void,
  ) {
    this.structured = new StructuredContent(validatorOf, warn);
  }

  /** @param call the caller, and the paths it selected */
  shape(
    result: ToolResult,
    tool: Tool,
    response: CallResponse,
    { peer, paths }: { readonly peer: Peer; readonly paths: readonly string[] | undefined },
  ): ToolResult {
    const selected = paths && !result.isError ? selectMembers(result, paths) : result;
    const cut = this.cut(selected, tool, response, peer);
    const isDeclared = tool.output?.source === 'declared' && !result.isError;
    if (!isDeclared) return cut?.result ?? selected;
    if (cut) return { ...cut.result, structuredContent: { [BODY]: cut.note } };
    return this.structured.addTo(selected, tool, response, peer.structured);
  }

  private cut(result: ToolResult, { shape, name }: Tool, response: CallResponse, peer: Peer) {
    const limit = shape?.limit;
    if (limit === undefined) return undefined;
    const owner = () => ({ tool: name, owner: this.dispatcher.keyOf(peer.caller) });
    return cutResult(result, limit.maxBytes, response, keeper(this.links, limit, result, owner));
  }
}
