import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentManifest } from '@fledge/graphql';

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Documents by their hashes, as GraphQL Code Generator writes them. */
export function manifestOf(...texts: string[]): Record<string, string> {
  return Object.fromEntries(texts.map((text) => [sha256(text), text]));
}

/** The manifest of `generate-persisted-query-manifest`. */
export function apolloManifestOf(...texts: string[]): DocumentManifest {
  const operations = texts.map((body) => ({
    id: sha256(body),
    name: 'Hello',
    type: 'query',
    body,
  }));
  return { format: 'apollo-persisted-query-manifest', version: 1, operations };
}

/** Writes a file and returns its path. */
export async function written(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fledge-documents-'));
  const path = join(folder, 'persisted-documents.json');
  await writeFile(path, content);
  return path;
}

/** The extension of Apollo's clients. */
export function persisted(text: string, hash = sha256(text)) {
  return { persistedQuery: { version: 1, sha256Hash: hash } };
}

/** A document whose nesting overflows the stack of graphql-js. It has fewer tokens than the limit. */
export const deepDocument = `{ hello(a: ${'['.repeat(7_000)}${']'.repeat(7_000)}) }`;
