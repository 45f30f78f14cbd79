import { readFile } from 'node:fs/promises';
import { DocumentManifestError } from '../graphql.errors.js';
import type { GraphqlMountOptions } from '../graphql.options.js';
import type { DocumentManifest, ManifestLoader } from '../operation/protection.options.js';

type Manifest = NonNullable<GraphqlMountOptions['manifest']>;

/**
 * Reads a manifest. Returns the texts of its documents, by id. The ids have no prefix `sha256:`.
 * @param endpoint name of the endpoint, for errors
 * @throws DocumentManifestError
 */
export async function readManifest(
  manifest: Manifest,
  endpoint: string,
): Promise<ReadonlyMap<string, string>> {
  if (typeof manifest === 'function') {
    const place = `the result of the function \`manifest\` of ${endpoint}`;
    return documentsIn(await resultOf(manifest, place), place);
  }
  if (typeof manifest !== 'string' && !(manifest instanceof URL)) {
    return documentsIn(manifest, `the option \`manifest\` of ${endpoint}`);
  }
  const place = String(manifest);
  let parsed: DocumentManifest;
  try {
    parsed = JSON.parse(await readFile(manifest, 'utf8')) as DocumentManifest;
  } catch (error) {
    throw new DocumentManifestError(place, (error as Error).message, error);
  }
  return documentsIn(parsed, place);
}

async function resultOf(load: ManifestLoader, place: string): Promise<DocumentManifest> {
  try {
    return await load();
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    throw new DocumentManifestError(place, `the function failed: ${fault}`, error);
  }
}

/**
 * Converts an id to a key of the map: removes the default prefix `sha256:` (GraphQL over HTTP,
 * Appendix A).
 */
export function plainId(id: string): string {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id;
}

const PREFIX = 'sha256:';
const APOLLO_FORMAT = 'apollo-persisted-query-manifest';

function documentsIn(manifest: DocumentManifest, place: string): ReadonlyMap<string, string> {
  const documents = new Map<string, string>();
  for (const [id, text] of entriesOf(manifest, place)) {
    if (typeof id !== 'string' || typeof text !== 'string') {
      throw new DocumentManifestError(place, `the document ${JSON.stringify(id)} is not a string`);
    }
    const plain = plainId(id);
    if ((documents.get(plain) ?? text) !== text) {
      throw new DocumentManifestError(place, `two documents have the id "${plain}"`);
    }
    documents.set(plain, text);
  }
  return documents;
}

/** Returns the entries of a manifest. Supports both formats. The entries are not validated yet. */
function entriesOf(manifest: unknown, place: string): (readonly [unknown, unknown])[] {
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest)) {
    throw new DocumentManifestError(place, 'the manifest is not an object');
  }
  const { format, version, operations } = manifest as Record<string, unknown>;
  if (format !== APOLLO_FORMAT) return Object.entries(manifest);
  if (version !== 1 || !Array.isArray(operations)) {
    throw new DocumentManifestError(place, `only version 1 of ${APOLLO_FORMAT} is supported`);
  }
  return (operations as ({ id?: unknown; body?: unknown } | null)[]).map(
    (operation) => [operation?.id, operation?.body] as const,
  );
}
