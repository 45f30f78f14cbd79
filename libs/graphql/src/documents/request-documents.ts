import { Logger } from '@nestjs/common';
import type { GraphQLSchema } from 'graphql';
import { randomUUID } from 'node:crypto';
import { GraphqlOptionError, StaleDocumentsError } from '../graphql.errors.js';
import type { ReadProtection } from '../graphql.defaults.js';
import { OperationCounts, OperationSpans } from '../operation/operation-telemetry.js';
import { Protection } from '../operation/protection.js';
import type { TraceOptions } from '../operation/protection.options.js';
import type { DocumentRequest, OperationDocuments } from '../operation/served-schema.js';
import { AutomaticDocuments, DocumentRefusal } from './automatic-documents.js';
import { plainId, readManifest } from './manifest.js';

/**
 * Finds the document of a request. The request contains the document itself, or the id of a
 * document of the manifest or of an automatic document.
 */
export class RequestDocuments implements OperationDocuments {
  private manifest: ReadonlyMap<string, string> = new Map();
  /** Undefined unless `documents` is 'automatic'. */
  private readonly automatic: AutomaticDocuments | undefined;
  /**
   * Documents of the application, such as the documents of tools. Clients cannot guess their ids.
   */
  private readonly own = new Map<string, string>();
  private loading: Promise<void> | undefined;

  /** @throws GraphqlOptionError */
  constructor(
    private readonly options: ReadProtection,
    private readonly protection: Protection,
  ) {
    refuseConflicts(options);
    const { documents, documentStore } = options;
    if (documents !== 'automatic') return;
    this.automatic = new AutomaticDocuments(documentStore, (text) => protection.accepts(text));
  }

  /**
   * Reads the manifest and validates its documents. Later calls do nothing.
   * @throws DocumentManifestError, StaleDocumentsError
   */
  load(endpoint: string): Promise<void> {
    return (this.loading ??= this.read(endpoint));
  }

  textOf(request: DocumentRequest): string | undefined | Promise<string | undefined> {
    const { documents } = this.options;
    const text = textIn(request);
    const id = idIn(request);
    const trusted = typeof id === 'string' ? this.trusted(id) : undefined;
    if (trusted !== undefined) return trusted;
    if (id === undefined) {
      if (documents === 'trusted') throw notTrusted();
      return text;
    }
    // If automatic documents are off and a request has a text, an unknown id is ignored.
    if (documents === undefined && text !== undefined) return text;
    if (typeof id !== 'string') {
      throw new DocumentRefusal('The id of a document must be a string', 'BAD_REQUEST');
    }
    if (this.automatic !== undefined) return this.automaticText(request, id, this.automatic);
    throw text === undefined ? this.notFound() : notTrusted();
  }

  /**
   * Returns the request fields that execute one of the application's own documents. If only trusted
   * documents are allowed, registers the document under an id, and the fields contain this id.
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

  /**
   * Returns the text that was registered under an id. If the request has a text, registers and
   * returns that text.
   */
  private automaticText(request: DocumentRequest, id: string, automatic: AutomaticDocuments) {
    // Apollo's protocol has only version 1. A `documentId` has no version.
    const { version = 1, sha256Hash: hash } = apolloIn(request) ?? {};
    if (version !== 1) {
      throw new DocumentRefusal('Unsupported persisted query version', 'BAD_REQUEST');
    }
    const text = textIn(request);
    if (text === undefined) {
      const found = automatic.find(plainId(id));
      return typeof found === 'string' ? found : this.foundLater(found);
    }
    // Only requests with Apollo's extension register a text.
    if (typeof hash === 'string') automatic.register(hash, text);
    return text;
  }

  private async foundLater(reading: Promise<string | undefined> | undefined): Promise<string> {
    const found = await reading;
    if (found === undefined) throw this.notFound();
    return found;
  }

  private notFound(): DocumentRefusal {
    const { manifest, documents } = this.options;
    if (manifest === undefined && this.automatic === undefined) {
      // For both error codes, Apollo's clients send the text. But these clients read the code only
      // if the status is 200.
      const code = 'PERSISTED_QUERY_NOT_SUPPORTED';
      return new DocumentRefusal('PersistedQueryNotSupported', code, 200);
    }
    const status = documents === 'trusted' ? 400 : 200;
    return new DocumentRefusal('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND', status);
  }

  private async read(endpoint: string): Promise<void> {
    const { manifest, onStaleDocument } = this.options;
    if (manifest === undefined) return;
    const documents = await readManifest(manifest, endpoint);
    const stale = [...documents].flatMap(([id, text]) => {
      const errors = this.protection.pin(text);
      return errors.length === 0 ? [] : [{ id, errors }];
    });
    this.manifest = documents;
    if (stale.length === 0) return;
    const error = new StaleDocumentsError(endpoint, stale);
    if (onStaleDocument === 'throw') throw error;
    new Logger('GraphQL').warn(error.message);
  }
}

/**
 * Returns the schema of an endpoint, and services that check, count and trace its operations.
 * @param schema called on first use
 * @throws GraphqlOptionError
 */
export function operationServices(
  options: ReadProtection & Required<TraceOptions>,
  schema: () => GraphQLSchema,
  counts = new OperationCounts(),
) {
  const protection = new Protection(options, schema);
  const documents = new RequestDocuments(options, protection);
  const tracer = new OperationSpans(options.traceDocument);
  return { schema: protection.schema, protection, documents, counts, tracer };
}

/** @throws GraphqlOptionError if options contradict each other */
function refuseConflicts(options: ReadProtection): void {
  const { documents, manifest, documentStore, onStaleDocument } = options;
  if (documents === 'trusted' && manifest === undefined) {
    throw new GraphqlOptionError(
      "`documents` is 'trusted', but there is no manifest of trusted documents. Set manifest: 'persisted-documents.json'.",
    );
  }
  if (onStaleDocument === 'warn' && manifest === undefined) {
    throw new GraphqlOptionError(
      "`onStaleDocument` is 'warn', but there is no manifest of documents. Set manifest: 'persisted-documents.json', or remove onStaleDocument.",
    );
  }
  if (documentStore !== undefined && documents !== 'automatic') {
    throw new GraphqlOptionError(
      "documentStore is set, but automatic persisted queries are disabled. Enable them: documents: 'automatic'.",
    );
  }
}

/**
 * Returns the text of a request. An empty text counts as none. graphql-ws requires a text in each
 * message. So a client that sends an id also sends an empty text.
 */
function textIn({ query }: DocumentRequest): string | undefined {
  return typeof query === 'string' && query !== '' ? query : undefined;
}

/** Returns the id in `documentId` (GraphQL over HTTP, Appendix A) or in Apollo's extension. */
function idIn(request: DocumentRequest): unknown {
  return request.documentId ?? apolloIn(request)?.sha256Hash ?? undefined;
}

function notTrusted(): DocumentRefusal {
  return new DocumentRefusal(
    'Only trusted documents are executed. Send the id of a trusted document as documentId.',
    'DOCUMENT_NOT_TRUSTED',
  );
}

function apolloIn({ extensions }: DocumentRequest): PersistedQuery | null | undefined {
  return (extensions as { readonly persistedQuery?: PersistedQuery | null } | null | undefined)
    ?.persistedQuery;
}

interface PersistedQuery {
  readonly version?: unknown;
  readonly sha256Hash?: unknown;
}
