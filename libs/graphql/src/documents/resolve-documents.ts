import { GraphqlOptionError } from '../graphql.errors.js';
import type { ProtectionOptions } from '../operation/protection.options.js';

/** The options about documents of clients, with defaults applied. */
export interface ResolvedDocuments {
  readonly mode: 'any' | 'trusted' | 'automatic';
  readonly manifest: ProtectionOptions['manifest'];
  readonly documentStore: ProtectionOptions['documentStore'];
  readonly onStaleDocument: 'throw' | 'warn';
}

/**
 * Applies the defaults of `documents`, `manifest` and `documentStore`.
 * @throws GraphqlOptionError for an invalid value
 */
export function resolveDocuments(options: ProtectionOptions): ResolvedDocuments {
  const { documents: mode = 'any', manifest, onStaleDocument = 'throw', documentStore } = options;
  if (mode === 'trusted' && manifest === undefined) {
    throw new GraphqlOptionError(
      "documents is 'trusted', but no document is. Pass them: manifest: 'persisted-documents.json'.",
    );
  }
  if (documentStore !== undefined && mode !== 'automatic') {
    throw new GraphqlOptionError(
      "documentStore keeps automatic persisted queries. Turn them on: documents: 'automatic'.",
    );
  }
  for (const method of documentStore === undefined ? [] : (['get', 'set'] as const)) {
    if (typeof documentStore?.[method] === 'function') continue;
    throw new GraphqlOptionError(
      `documentStore has no function ${method}(). It needs get and set.`,
    );
  }
  return { mode, manifest, onStaleDocument, documentStore };
}
