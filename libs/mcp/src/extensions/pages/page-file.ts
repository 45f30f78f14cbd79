import { readFile } from 'node:fs/promises';
import type { AddedResource } from '../../publish/catalogue/publishing-extension.js';
import { ResourceUriError } from '../../mcp.errors.js';
import { isPageUri, PAGE_TYPE, type PageMeta, pageMeta } from './page.js';
import { PageError } from './page-error.js';
import type { McpPageFile } from './page-options.js';

/**
 * Reads pages from files.
 * @throws PageError if a file cannot be read or is not an HTML file
 * @throws ResourceUriError if a URI is invalid
 */
export function readPages(
  pages: readonly McpPageFile[],
): Promise<AddedResource<PageMeta | undefined>[]> {
  return Promise.all(
    pages.map(async (options, i) => {
      const place = `pages[${i}] of McpModule.forRoot()`;
      const { uri, file, name = uri, title, description = '' } = options;
      const path = file instanceof URL ? file.pathname : file;
      if (!/\.html?$/i.test(path)) throw new PageError(place, `"${path}" is not an .html file`);
      const text = await textOf(file, path, place);
      if (!isPageUri(uri) || uri.includes('{')) {
        throw new ResourceUriError(
          place,
          uri,
          "is not a page URI. Use a URI without parameters, such as 'ui://board'",
        );
      }
      const data = pageMeta(options);
      return { place, uri, name, title, description, mimeType: PAGE_TYPE, text, data };
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
