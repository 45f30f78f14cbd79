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
  if (options.documents !== undefined) refuseOthers('documents', mode, ['trusted', 'automatic']);
  refuseOthers('onStaleDocument', onStaleDocument, ['throw', 'warn']);
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

function refuseOthers(
  option: string,
  value: unknown,
  [one, other]: readonly [string, string],
): void {
  if (value === one || value === other) return;
  throw new GraphqlOptionError(
    `${option} is ${JSON.stringify(value)}, but must be '${one}' or '${other}'.`,
  );
}
