import { Logger } from '@nestjs/common';
import type { GraphQLSchema } from 'graphql';
import { StaleDocumentsError } from '../graphql.errors.js';
import { type ResolvedDocuments, resolveDocuments } from '../graphql.defaults.js';
import type { ProtectionOptions } from '../graphql.options.js';
import { Protection } from '../operation/protection.js';
import type { DocumentRequest, OperationDocuments } from '../operation/served-schema.js';
import { DocumentRefusal } from './document-refusal.js';
import { plainId, readManifest } from './manifest.js';

/** Finds the document of a request: by its id in the manifest, or in the request itself. */
export class RequestDocuments implements OperationDocuments {
  private manifest: ReadonlyMap<string, string> = new Map();
  private readonly options: ResolvedDocuments;
  private loading: Promise<void> | undefined;

  /** @throws GraphqlOptionError */
  constructor(
    given: ProtectionOptions,
    private readonly protection: Protection,
  ) {
    this.options = resolveDocuments(given);
  }

  /**
   * Reads the manifest and validates its documents, once.
   * @throws DocumentManifestError, StaleDocumentsError
   */
  load(endpoint: string, schema: () => GraphQLSchema): Promise<void> {
    return (this.loading ??= this.read(endpoint, schema));
  }

  known(request: DocumentRequest): string | undefined {
    const text = textIn(request);
    const { manifest, mode } = this.options;
    if (manifest === undefined) return text;
    const id = idIn(request);
    const found = typeof id === 'string' ? this.manifest.get(plainId(id)) : undefined;
    return found ?? (mode === 'trusted' ? undefined : text);
  }

  textOf(request: DocumentRequest): string | undefined {
    const known = this.known(request);
    if (known !== undefined) return known;
    const id = idIn(request);
    if (id !== undefined && typeof id !== 'string') {
      throw new DocumentRefusal('The id of a document is a text', 'BAD_REQUEST');
    }
    if (id !== undefined && textIn(request) === undefined) throw this.notFound();
    if (this.options.mode !== 'trusted') return undefined;
    throw new DocumentRefusal(
      'Only trusted documents are executed. Send the id of one as documentId.',
      'DOCUMENT_NOT_TRUSTED',
    );
  }

  private notFound(): DocumentRefusal {
    const { manifest, mode } = this.options;
    if (manifest === undefined) {
      // Apollo's clients send the text after each of these codes, and read them with 200 only.
      return new DocumentRefusal(
        'PersistedQueryNotSupported',
        'PERSISTED_QUERY_NOT_SUPPORTED',
        200,
      );
    }
    const status = mode === 'trusted' ? 400 : 200;
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
export function protectionOf(options: ProtectionOptions) {
  const protection = new Protection(options);
  return { protection, documents: new RequestDocuments(options, protection) };
}

/** graphql-ws requires a text in each message, so clients that send an id send an empty one. */
function textIn({ query }: DocumentRequest): string | undefined {
  return typeof query === 'string' && query !== '' ? query : undefined;
}

/** The id in `documentId` (GraphQL over HTTP, Appendix A) or in Apollo's extension. */
function idIn({ documentId, extensions }: DocumentRequest): unknown {
  return documentId ?? (extensions as Extensions)?.persistedQuery?.sha256Hash ?? undefined;
}

type Extensions =
  { readonly persistedQuery?: { readonly sha256Hash?: unknown } | null } | null | undefined;
