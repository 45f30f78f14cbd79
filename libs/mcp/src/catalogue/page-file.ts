import { readFile } from 'node:fs/promises';
import { PageError, ResourceUriError } from '../mcp.errors.js';
import type { McpPageFile } from '../options/page-options.js';
import type { Route } from '../routes/route.js';
import { isPageUri, PAGE_TYPE, pageOf } from './page.js';
import type { Resource } from './resource.js';

/** A page and the text of its file. */
export interface ReadPage {
  readonly options: McpPageFile;
  readonly html: string;
  /** Where it is declared: `pages[0]`. */
  readonly place: string;
}

/**
 * Reads the files of pages.
 * @throws PageError if one cannot be read, or is no HTML file
 */
export async function readPages(pages: readonly McpPageFile[]): Promise<readonly ReadPage[]> {
  return await Promise.all(
    pages.map(async (options, i) => {
      const place = `pages[${i}] of McpModule.forRoot()`;
      const name = options.file instanceof URL ? options.file.pathname : options.file;
      if (!/\.html?$/i.test(name)) throw new PageError(place, `"${name}" is no .html file`);
      return { options, place, html: await textOf(options.file, name, place) };
    }),
  );
}

async function textOf(file: string | URL, name: string, place: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new PageError(place, `"${name}" cannot be read (${(error as Error).message})`);
  }
}

/**
 * Builds the resource of a page in a file. Reading it runs no route.
 * @throws ResourceUriError
 */
export function filePageOf({ options, html, place }: ReadPage): Resource {
  const { uri, name = uri, title, description = '' } = options;
  if (!isPageUri(uri) || uri.includes('{')) {
    throw new ResourceUriError(place, uri, "is no URI of a page: write one, as in 'ui://board'");
  }
  return {
    kind: 'resource',
    name,
    uri,
    title,
    description,
    mimeType: PAGE_TYPE,
    httpMethod: 'GET',
    mountPath: '',
    page: { ...pageOf(options), html },
    template: undefined,
    completions: new Map(),
    route: noRoute(place),
    input: { schema: { type: 'object' }, places: [], body: 'none' },
    validate: () => undefined,
    buildRequest: () => {
      throw new Error(`${place} has no route`);
    },
    redact: (args) => args,
    timeoutMs: 0,
    scopes: [],
    tags: [],
  };
}

function noRoute(label: string): Route {
  return {
    controller: Object,
    handler: () => undefined,
    methodName: '',
    label,
    verb: 'GET',
    path: '',
    pathParameters: [],
    parameters: [],
    consumes: 'application/json',
    upload: undefined,
    queryReads: 'objects',
    version: { kind: 'none' },
  };
}
