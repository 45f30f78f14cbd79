import { Logger } from '@nestjs/common';
import type { GraphQLSchema } from 'graphql';
import { randomUUID } from 'node:crypto';
import { GraphqlOptionError, StaleDocumentsError } from '../graphql.errors.js';
import type { ReadProtection } from '../option-tables.js';
import { Protection } from '../operation/protection.js';
import type { DocumentRequest, OperationDocuments } from '../operation/served-schema.js';
import { AutomaticDocuments } from './automatic-documents.js';
import { DocumentRefusal } from './document-refusal.js';
import { plainId, readManifest } from './manifest.js';

/** Finds the document of a request: by its id in the manifest or among those sent before, or in the request. */
export class RequestDocuments implements OperationDocuments {
  private manifest: ReadonlyMap<string, string> = new Map();
  /** Undefined unless clients register documents. */
  private readonly automatic: AutomaticDocuments | undefined;
  /** Documents of the application's own, such as those of tools, by ids that clients cannot guess. */
  private readonly own = new Map<string, string>();
  private schema: (() => GraphQLSchema) | undefined;
  private loading: Promise<void> | undefined;

  /** @throws GraphqlOptionError */
  constructor(
    private readonly options: ReadProtection,
    private readonly protection: Protection,
  ) {
    refuseConflicts(options);
    const { documents, documentStore } = options;
    if (documents !== 'automatic') return;
    this.automatic = new AutomaticDocuments(
      documentStore,
      // Until the schema is built there are no requests.
      (text) => this.schema !== undefined && protection.accepts(this.schema(), text),
    );
  }

  /**
   * Reads the manifest and validates its documents, once.
   * @throws DocumentManifestError, StaleDocumentsError
   */
  load(endpoint: string, schema: () => GraphQLSchema): Promise<void> {
    this.schema = schema;
    return (this.loading ??= this.read(endpoint, schema));
  }

  /** Returns the text of a request that is found at once and not refused. */
  private known(request: DocumentRequest): string | undefined {
    const text = textIn(request);
    const { manifest, documents } = this.options;
    if (manifest === undefined && this.automatic === undefined) return text;
    const id = idIn(request);
    const found = typeof id === 'string' ? this.trusted(id) : undefined;
    if (found !== undefined || documents === 'trusted') return found;
    if (this.automatic === undefined || id === undefined) return text;
    if (typeof id !== 'string' || !isVersion1(request)) return undefined;
    const sent = this.automatic.inMemory(plainId(id));
    return text === undefined || text === sent ? sent : undefined;
  }

  textOf(request: DocumentRequest): string | undefined | Promise<string | undefined> {
    const known = this.known(request);
    if (known !== undefined) return known;
    const id = idIn(request);
    if (id !== undefined && typeof id !== 'string') {
      throw new DocumentRefusal('The id of a document is a text', 'BAD_REQUEST');
    }
    const text = textIn(request);
    if (id !== undefined && this.automatic !== undefined) {
      if (!isVersion1(request)) {
        throw new DocumentRefusal('Unsupported persisted query version', 'BAD_REQUEST');
      }
      return text === undefined
        ? this.sentBefore(plainId(id), this.automatic)
        : registered(request, text, this.automatic);
    }
    if (id !== undefined && text === undefined) throw this.notFound();
    if (this.options.documents !== 'trusted') return undefined;
    throw new DocumentRefusal(
      'Only trusted documents are executed. Send the id of one as documentId.',
      'DOCUMENT_NOT_TRUSTED',
    );
  }

  /**
   * Returns the members of a request that executes a document of the application's own. With trusted documents
   * they have an id, under which the document is known from now on.
   */
  membersOf(text: string): Readonly<Record<string, string>> {
    if (this.options.documents !== 'trusted') return { query: text };
    const documentId = `own:${randomUUID()}`;
    this.own.set(documentId, text);
    return { query: text, documentId };
  }

  private trusted(id: string): string | undefined {
    return this.manifest.get(plainId(id)) ?? this.own.get(id);
  }

  private async sentBefore(id: string, automatic: AutomaticDocuments): Promise<string> {
    const found = await automatic.find(id);
    if (found === undefined) throw this.notFound();
    return found;
  }

  private notFound(): DocumentRefusal {
    const { manifest, documents } = this.options;
    if (manifest === undefined && this.automatic === undefined) {
      // Apollo's clients send the text after each of these codes, and read them with 200 only.
      return new DocumentRefusal(
        'PersistedQueryNotSupported',
        'PERSISTED_QUERY_NOT_SUPPORTED',
        200,
      );
    }
    const status = documents === 'trusted' ? 400 : 200;
    return new DocumentRefusal('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND', status);
  }

  private async read(endpoint: string, schema: () => GraphQLSchema): Promise<void> {
    const { manifest, onStaleDocument } = this.options;
    if (manifest === undefined) return;
    const documents = await readManifest(manifest);
    const served = schema();
    const stale = [...documents].flatMap(([id, text]) => {
      const errors = this.protection.pin(served, text);
      return errors.length === 0 ? [] : [{ id, errors }];
    });
    this.manifest = documents;
    if (stale.length === 0) return;
    const error = new StaleDocumentsError(endpoint, stale);
    if (onStaleDocument === 'throw') throw error;
    new Logger('GraphQL').warn(error.message);
  }
}

/** Returns the protection of an endpoint, and what finds its documents. @throws GraphqlOptionError */
export function protectionOf(options: ReadProtection) {
  const protection = new Protection(options);
  return { protection, documents: new RequestDocuments(options, protection) };
}

/** @throws GraphqlOptionError for options that contradict each other */
function refuseConflicts({ documents, manifest, documentStore }: ReadProtection): void {
  if (documents === 'trusted' && manifest === undefined) {
    throw new GraphqlOptionError(
      "documents is 'trusted', but no document is. Pass them: manifest: 'persisted-documents.json'.",
    );
  }
  if (documentStore !== undefined && documents !== 'automatic') {
    throw new GraphqlOptionError(
      "documentStore keeps automatic persisted queries. Turn them on: documents: 'automatic'.",
    );
  }
}

/** graphql-ws requires a text in each message, so clients that send an id send an empty one. */
function textIn({ query }: DocumentRequest): string | undefined {
  return typeof query === 'string' && query !== '' ? query : undefined;
}

/** The id in `documentId` (GraphQL over HTTP, Appendix A) or in Apollo's extension. */
function idIn(request: DocumentRequest): unknown {
  return request.documentId ?? apolloIn(request)?.sha256Hash ?? undefined;
}

/** Apollo's protocol has one version. A `documentId` has none. */
function isVersion1(request: DocumentRequest): boolean {
  const { version = 1 } = apolloIn(request) ?? {};
  return version === 1;
}

/** Returns the text of a request. Only Apollo's extension registers it. */
function registered(request: DocumentRequest, text: string, automatic: AutomaticDocuments): string {
  const hash = apolloIn(request)?.sha256Hash;
  if (typeof hash === 'string') automatic.register(hash, text);
  return text;
}

function apolloIn({ extensions }: DocumentRequest): PersistedQuery | null | undefined {
  return (extensions as Extensions)?.persistedQuery;
}

interface PersistedQuery {
  readonly version?: unknown;
  readonly sha256Hash?: unknown;
}

type Extensions = { readonly persistedQuery?: PersistedQuery | null } | null | undefined;
