import { Injectable } from '@nestjs/common';
import { type Caller, mcpRequestOf } from '../calls/caller.js';
import type { CallResponse } from '../calls/response-recorder.js';
import type { Peer } from '../calls/peer.js';
import { Catalogue } from '../catalogue/catalogue.js';
import type { ListJson } from '../catalogue/published-list.js';
import type { Resource } from '../catalogue/resource.js';
import { argumentsOfTexts } from '../arguments/text-arguments.js';
import { abortable } from './abortable.js';
import { ErrorCode, RequestFault } from '../messages/json-rpc.js';
import { OperationRunner } from './operation-runner.js';
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

/** Answers `resources/*`, whatever revision and transport they came by. */
@Injectable()
export class ResourceReader {
  private catalogue = new Catalogue();

  constructor(private readonly runner: OperationRunner) {}

  prepare(catalogue: Catalogue): void {
    this.catalogue = catalogue;
  }

  /** Whether there is anything to read. */
  get isEmpty(): boolean {
    const { resources, templates } = this.catalogue;
    return resources.all.length + templates.all.length === 0;
  }

  /** JSON of the `resources/list` result. */
  listJson(caller: Caller): Promise<ListJson> {
    return this.catalogue.resources.json(mcpRequestOf(caller));
  }

  /** JSON of the `resources/templates/list` result. */
  templatesJson(caller: Caller): Promise<ListJson> {
    return this.catalogue.templates.json(mcpRequestOf(caller));
  }

  /** @throws RequestFault where the caller may not know of such a resource */
  async assertFound(uri: string, caller: Caller): Promise<void> {
    if (!(await this.find(uri, caller))) throw resourceNotFound(uri);
  }

  /** The operation that reads a URI and the parameters for it. */
  find(uri: string, caller: Caller): ReturnType<Catalogue['findResource']> {
    return this.catalogue.findResource(uri, mcpRequestOf(caller));
  }

  findTemplate(uriTemplate: string, caller: Caller): Promise<Resource | undefined> {
    return this.catalogue.templates.find(uriTemplate, mcpRequestOf(caller));
  }

  /** @throws RequestFault where there is nothing to read, or its route says no */
  async read(
    uri: string,
    caller: Caller,
    peer: Peer,
    signal: AbortSignal,
  ): Promise<ReadResult | undefined> {
    const found = await this.find(uri, caller);
    if (!found) throw resourceNotFound(uri);
    const args = argumentsOfTexts(found.resource.input.schema, found.parameters);
    const run = this.runner.run(found.resource, args, caller, peer);
    const outcome = await abortable(run, run.outcome, signal);
    if (peer.demand) return undefined;
    if (outcome.kind === 'response' && outcome.response.status === 404) throw resourceNotFound(uri);
    return contentsOf(uri, goodResponseOf(`resource "${uri}"`, outcome));
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
