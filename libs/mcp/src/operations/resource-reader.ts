import { type Caller, mcpRequestOf } from '../calls/caller.js';
import type { CallResponse } from '../calls/response-recorder.js';
import type { Dispatcher } from '../calls/dispatcher.js';
import type { Peer } from '../calls/peer.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { Awaitable } from '../catalogue/published-list.js';
import type { Resource } from '../catalogue/resource.js';
import { argumentsOfTexts } from '../arguments/text-arguments.js';
import { ErrorCode, RequestFault } from '../messages/json-rpc.js';
import type { Answer } from './answer.js';
import { goodResponseOf, resourceNotFound } from './good-response.js';
import { isCut, isText, mimeTypeOf } from './response-body.js';

/** Result of `resources/read` (MCP 2025-11-25, `ReadResourceResult`). */
export interface ReadResult {
  readonly contents: readonly {
    readonly uri: string;
    readonly mimeType: string;
    readonly text?: string;
    readonly blob?: string;
  }[];
}

/** Reads resources, for every revision and transport. */
export class ResourceReader {
  constructor(
    readonly catalogue: Catalogue,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** True if there is nothing to read. */
  get isEmpty(): boolean {
    const { resources, templates } = this.catalogue;
    return resources.all.length + templates.all.length === 0;
  }

  /** @throws RequestFault if the resource does not exist or is hidden from the caller */
  async assertFound(uri: string, caller: Caller): Promise<void> {
    if (!(await this.find(uri, caller))) throw resourceNotFound(uri);
  }

  /** Finds the operation that reads a URI, and the parameters for it. */
  find(uri: string, caller: Caller): ReturnType<Catalogue['findResource']> {
    return this.catalogue.findResource(uri, mcpRequestOf(caller));
  }

  findTemplate(uriTemplate: string, caller: Caller): Awaitable<Resource | undefined> {
    return this.catalogue.templates.find(uriTemplate, mcpRequestOf(caller));
  }

  /** @throws RequestFault if the resource does not exist, or its route answers with an error */
  async read(uri: string, peer: Peer): Promise<Answer<ReadResult>> {
    const found = await this.find(uri, peer.caller);
    if (!found) throw resourceNotFound(uri);
    const { resource, parameters } = found;
    const args = argumentsOfTexts(resource.input.schema, parameters);
    const outcome = await this.dispatcher.run(resource, args, peer);
    const { demand } = peer;
    if (demand) return { kind: 'input-required', questions: demand, result: undefined };
    if (outcome.kind === 'response' && outcome.response.status === 404) throw resourceNotFound(uri);
    return {
      kind: 'result',
      result: contentsOf(uri, goodResponseOf(`resource "${uri}"`, outcome)),
    };
  }
}

function contentsOf(uri: string, response: CallResponse): ReadResult {
  if (isCut(response)) {
    throw new RequestFault(
      ErrorCode.InternalError,
      `Resource "${uri}" has ${response.bytes} bytes, more than limits.responseBytes allows`,
    );
  }
  const mimeType = mimeTypeOf(response);
  const body = isText(mimeType)
    ? { text: response.body.toString('utf8') }
    : { blob: response.body.toString('base64') };
  return { contents: [{ uri, mimeType, ...body }] };
}
