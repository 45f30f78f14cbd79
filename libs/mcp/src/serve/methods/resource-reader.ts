import type { Peer } from '../call/peer.js';
import type { Caller } from '../call/caller.js';
import type { CallResponse } from '../call/recording.js';
import type { Dispatcher } from '../call/dispatcher.js';
import type { Catalogue } from '../../publish/catalogue/catalogue.js';
import type { PublishedList } from '../../publish/catalogue/published-list.js';
import type { Resource } from '../../publish/catalogue/resource.js';
import { ErrorCode, RequestFault } from '../protocol/json-rpc.js';
import { type Answer, askingAnswer, type ReadResult } from './answer.js';
import type { ClientRequest, Target } from './client-request.js';
import { goodResponseOf, resourceNotFound } from '../results/good-response.js';
import {
  decodedBody,
  isCut,
  isEncoded,
  isText,
  leftOut,
  mimeTypeOf,
  sizeOf,
} from '../results/response-body.js';
import { extendResources } from './extended-list.js';
import type { ChangeRead, EndpointExtension, NamedExtension } from './extension.js';
import type { LocalResource, LocalTemplate } from './local-items.js';

export class ResourceReader {
  /** The entries of `resources/list`. */
  listed!: PublishedList<Resource>;
  listedTemplates!: PublishedList<Resource>;
  private localTemplates: readonly LocalTemplate[] = [];
  private readonly finders: readonly NonNullable<EndpointExtension['resource']>[];
  private readonly changes: ReadonlyMap<Resource, ChangeRead>;

  constructor(
    private readonly catalogue: Catalogue,
    private readonly dispatcher: Dispatcher,
    private readonly extensions: readonly NamedExtension[],
  ) {
    const { resources, templates } = catalogue;
    this.finders = extensions.flatMap(({ resource }) => resource ?? []);
    this.changes = changesOfReads([...resources.all, ...templates.all], extensions);
    this.refresh();
  }

  /** Reads the resources of the extensions again. */
  refresh(): void {
    const { catalogue, extensions } = this;
    const added = extensions.flatMap(({ resources = [] }) => resources);
    this.localTemplates = extensions.flatMap(({ templates = [] }) => templates);
    this.listed = extendResources(catalogue.resources, extensions, added);
    this.listedTemplates = extendResources(catalogue.templates, extensions, this.localTemplates);
  }

  /** True if no route publishes a resource. */
  get isEmpty(): boolean {
    const { resources, templates } = this.catalogue;
    return resources.all.length + templates.all.length === 0;
  }

  /** Returns undefined if nothing serves the URI, or if it is hidden from the caller. */
  async find(uri: string, caller: Caller): Promise<Target | undefined> {
    const found = await this.catalogue.findResource(uri, caller.request);
    return found ? { kind: 'resource', found } : this.findLocal(uri, caller);
  }

  async findTemplate(uriTemplate: string, caller: Caller): Promise<Target | undefined> {
    const { templates } = this.catalogue;
    const request = caller.request;
    const template = await templates.find(uriTemplate, request);
    if (template) return { kind: 'template', template };
    const local = this.localTemplates.find(({ key }) => key === uriTemplate);
    if (!local || !(await templates.isVisible(local.definition, request))) return undefined;
    return { kind: 'local-template', template: local };
  }

  /** @throws RequestFault if the resource does not exist, or if its route responds with an error */
  async read(request: ClientRequest): Promise<Answer<ReadResult>> {
    const { target, params } = request;
    const uri = String(params['uri']);
    if (target?.kind === 'local-resource') {
      return askingAnswer(request, () => readLocal(uri, target.resource, request));
    }
    if (target?.kind !== 'resource') throw resourceNotFound(uri);
    const { resource, parameters } = target.found;
    const { mimeType = '', text } = resource;
    if (text !== undefined) return this.answer(resource, { contents: [{ uri, mimeType, text }] });
    const outcome = await this.dispatcher.runTexts(resource, parameters, request);
    const { demand } = request;
    if (demand) return { kind: 'input-required', questions: demand, result: undefined };
    if (outcome.kind === 'response' && outcome.response.status === 404) throw resourceNotFound(uri);
    return this.answer(resource, contentsOf(uri, goodResponseOf(`resource "${uri}"`, outcome)));
  }

  private answer(resource: Resource, whole: ReadResult): Answer<ReadResult> {
    const change = resource.extended && this.changes.get(resource);
    return { kind: 'result', result: change ? change(whole) : whole };
  }

  private async findLocal(uri: string, caller: Caller): Promise<Target | undefined> {
    for (const find of this.finders) {
      const resource = await find(uri, caller);
      if (resource) return { kind: 'local-resource', resource };
    }
    return undefined;
  }
}

/** @throws RequestFault if the resource no longer exists */
async function readLocal(uri: string, resource: LocalResource, peer: Peer): Promise<ReadResult> {
  let result: ReadResult | undefined;
  try {
    result = await resource.read(peer);
  } catch (error) {
    // Not called above: if the resource does not exist, nothing ran.
    peer.caller.watch?.runsLocally();
    throw error;
  }
  if (result === undefined) throw resourceNotFound(uri);
  return result;
}

function contentsOf(uri: string, response: CallResponse): ReadResult {
  if (isCut(response)) {
    throw new RequestFault(
      ErrorCode.InternalError,
      `Resource "${uri}" has ${sizeOf(response)}, which is more than limits.responseBytes allows`,
    );
  }
  if (isEncoded(response)) {
    throw new RequestFault(ErrorCode.InternalError, `Resource "${uri}": ${leftOut(response)}`);
  }
  const mimeType = mimeTypeOf(response);
  const body = isText(response)
    ? { text: decodedBody(response) }
    : { blob: response.body.toString('base64') };
  return { contents: [{ uri, mimeType, ...body }] };
}

/** The last extension is called first. */
function changesOfReads(
  resources: readonly Resource[],
  extensions: readonly NamedExtension[],
): ReadonlyMap<Resource, ChangeRead> {
  const changes = new Map<Resource, ChangeRead>();
  for (const resource of resources) {
    const { extended } = resource;
    const own = extensions.flatMap(({ name, read }) =>
      extended?.has(name) ? (read?.(resource, extended.get(name)) ?? []) : [],
    );
    if (own.length === 0) continue;
    changes.set(resource, (whole) => own.reduceRight((result, change) => change(result), whole));
  }
  return changes;
}
