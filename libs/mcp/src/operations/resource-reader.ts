import { type Caller, mcpRequestOf } from '../calls/caller.js';
import { isEncoded } from '../calls/decoded-response.js';
import type { CallResponse } from '../calls/recording.js';
import type { Dispatcher } from '../calls/dispatcher.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { Awaitable } from '../catalogue/published-list.js';
import { type Page, PAGE_TYPE } from '../catalogue/page.js';
import type { Resource } from '../catalogue/resource.js';
import { ErrorCode, RequestFault } from '../messages/json-rpc.js';
import type { Answer } from './answer.js';
import type { ClientRequest } from './client-request.js';
import { goodResponseOf, resourceNotFound } from './good-response.js';
import { decodedBody, isCut, isText, leftOut, mimeTypeOf, sizeOf } from './response-body.js';
import type { ReadResult } from './read-result.js';
import type { EndpointExtension, LocalResource } from './extension.js';
import type { Target } from './target.js';

/** Reads resources, for every revision and transport. */
export class ResourceReader {
  /** @param unlisted finds resources that are in no list */
  constructor(
    readonly catalogue: Catalogue,
    private readonly dispatcher: Dispatcher,
    private readonly unlisted: readonly NonNullable<EndpointExtension['resource']>[],
  ) {}

  /** True if there is nothing to read. */
  get isEmpty(): boolean {
    const { resources, templates } = this.catalogue;
    return resources.all.length + templates.all.length === 0;
  }

  /** Finds what reads a URI. Undefined if there is nothing, or it is hidden from the caller. */
  async find(uri: string, caller: Caller): Promise<Target | undefined> {
    const found = await this.catalogue.findResource(uri, mcpRequestOf(caller));
    return found ? { kind: 'resource', found } : this.findUnlisted(uri, caller);
  }

  findTemplate(uriTemplate: string, caller: Caller): Awaitable<Resource | undefined> {
    return this.catalogue.templates.find(uriTemplate, mcpRequestOf(caller));
  }

  /** @throws RequestFault if the resource does not exist, or its route answers with an error */
  async read(request: ClientRequest): Promise<Answer<ReadResult>> {
    const { target, params } = request;
    const uri = String(params['uri']);
    if (target?.kind === 'unlisted')
      return { kind: 'result', result: readUnlisted(uri, target.resource) };
    if (target?.kind !== 'resource') throw resourceNotFound(uri);
    const { resource, parameters } = target.found;
    if (resource.page?.html !== undefined) {
      return { kind: 'result', result: pageContentOf(uri, resource.page.html, resource.page) };
    }
    const outcome = await this.dispatcher.runTexts(resource, parameters, request);
    const { demand } = request;
    if (demand) return { kind: 'input-required', questions: demand, result: undefined };
    if (outcome.kind === 'response' && outcome.response.status === 404) throw resourceNotFound(uri);
    return {
      kind: 'result',
      result: contentsOf(uri, goodResponseOf(`resource "${uri}"`, outcome), resource.page),
    };
  }

  private async findUnlisted(uri: string, caller: Caller): Promise<Target | undefined> {
    for (const find of this.unlisted) {
      const resource = await find(uri, caller);
      if (resource) return { kind: 'unlisted', resource };
    }
    return undefined;
  }
}

/** @throws RequestFault if the resource is gone */
function readUnlisted(uri: string, resource: LocalResource): ReadResult {
  const result = resource.read();
  if (result === undefined) throw resourceNotFound(uri);
  return result;
}

function contentsOf(uri: string, response: CallResponse, page: Page | undefined): ReadResult {
  if (isCut(response)) {
    throw new RequestFault(
      ErrorCode.InternalError,
      `Resource "${uri}" has ${sizeOf(response)}, more than limits.responseBytes allows`,
    );
  }
  if (isEncoded(response)) {
    throw new RequestFault(ErrorCode.InternalError, `Resource "${uri}": ${leftOut(response)}`);
  }
  const mimeType = mimeTypeOf(response);
  if (page) {
    assertHtml(uri, mimeType);
    return pageContentOf(uri, decodedBody(response), page);
  }
  const body = isText(response)
    ? { text: decodedBody(response) }
    : { blob: response.body.toString('base64') };
  return { contents: [{ uri, mimeType, ...body }] };
}

/** Fastify labels a text that a route returns as `text/plain`. */
function assertHtml(uri: string, mimeType: string): void {
  if (mimeType === 'text/html' || mimeType === 'text/plain') return;
  throw new RequestFault(
    ErrorCode.InternalError,
    `The route of the page "${uri}" answered ${mimeType}, not HTML`,
  );
}

/** The content of a page. Clients read its settings here, not in the list (MCP Apps, 2026-01-26). */
function pageContentOf(uri: string, html: string, { meta }: Page): ReadResult {
  return { contents: [{ uri, mimeType: PAGE_TYPE, text: html, ...(meta && { _meta: meta }) }] };
}
