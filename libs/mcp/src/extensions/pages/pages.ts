import type { ResourceDraft } from '../../publish/catalogue/publishing-extension.js';
import { ResourceUriError } from '../../mcp.errors.js';
import type { McpExtension } from '../../serve/methods/extension.js';
import {
  assertHtml,
  isForPagesOnly,
  isPageUri,
  metaOfUi,
  PAGE_TYPE,
  type PageMeta,
  pageMeta,
  PAGES_EXTENSION,
  readPage,
  showsPages,
} from './page.js';
import { PageError } from './page-error.js';
import { readPages } from './page-file.js';
import {
  type McpPageFile,
  type McpToolUi,
  PAGE_RESOURCE_OPTION,
  PAGE_TOOL_OPTION,
  PAGES_OPTION,
  type PagesOption,
  type ResolvedPageResource,
  type ResolvedPageTool,
} from './page-options.js';

/** Adds pages that clients show next to the results of tools (MCP Apps). */
export const pages: McpExtension<
  PagesOption['pages'],
  readonly McpPageFile[],
  ResolvedPageTool,
  McpToolUi,
  ResolvedPageResource,
  PageMeta | undefined
> = {
  name: 'pages',
  option: PAGES_OPTION.pages,
  scope: 'module',
  author: { tool: PAGE_TOOL_OPTION, resource: PAGE_RESOURCE_OPTION },

  async publish(files) {
    return {
      tool({ route }, { ui }) {
        if (ui === undefined) return undefined;
        if (ui.resourceUri === undefined && ui.visibility === undefined) {
          throw new PageError(
            route.label,
            "the option `ui` is empty. Set the URI of a page: ui: 'ui://board'",
          );
        }
        return { data: ui, draft: { forModels: !isForPagesOnly(ui) } };
      },

      resource(draft, { ui }) {
        if (!isPageUri(draft.uri) && ui === undefined) return undefined;
        assertPage(draft);
        return { data: pageMeta(ui ?? {}), draft: { mimeType: PAGE_TYPE } };
      },

      resources: await readPages(files),
      brings: ({ resourceUri }) => (resourceUri === undefined ? [] : [resourceUri]),

      check({ tools, resources }) {
        const uris = resources.map(({ uri }) => uri);
        for (const { label, data } of tools) assertServed(data.resourceUri, uris, label);
      },
    };
  },

  create(_files, { data, resourceData }) {
    if (data.size + resourceData.size === 0) return Promise.resolve(undefined);
    return Promise.resolve({
      capabilities: { extensions: { [PAGES_EXTENSION]: {} } },
      clientKind: showsPages,
      listed(tool, entry, { isKind, whole }) {
        const ui = isKind ? data.get(tool) : undefined;
        if (!ui) return entry;
        // Clients find the page of a tool in this list. A page finds the tools that only pages may
        // call.
        const listed = entry ?? whole;
        return { ...listed, _meta: { ...listed._meta, ...metaOfUi(ui) } };
      },
      listedResource(resource, entry, { isKind }) {
        if (!resourceData.has(resource)) return entry;
        if (!isKind) return undefined;
        // Some clients read the settings of a page from this list, not from the page.
        const settings = resourceData.get(resource);
        return entry && settings ? { ...entry, _meta: { ...entry._meta, ...settings } } : entry;
      },
      read: (_resource, meta) => (result) => readPage(result, meta),
    });
  },
};

/** @throws PageError or ResourceUriError if a route cannot serve a page */
function assertPage({ route: { handler, label }, uri, isTemplate, mimeType }: ResourceDraft): void {
  if (!isPageUri(uri)) {
    throw new PageError(
      label,
      `the option \`ui\` is only for pages, but "${uri}" is not a page URI. Start the URI with ` +
        'ui://',
    );
  }
  // Tools refer to a page by its complete URI. Clients may load the page before a call.
  if (isTemplate) {
    throw new ResourceUriError(
      label,
      uri,
      'has parameters, but the URI of a page cannot have parameters',
    );
  }
  assertHtml(handler, mimeType, label);
}

/** @throws PageError if a tool refers to a page that no resource serves */
function assertServed(uri: string | undefined, served: readonly string[], label: string): void {
  if (uri === undefined || served.includes(uri)) return;
  throw new PageError(
    label,
    `no resource serves the page "${uri}" of @McpTool({ ui }). Add @McpResource({ uri: '${uri}' }) to a GET ` +
      `route that returns HTML, or McpModule.forRoot({ pages: [{ uri: '${uri}', file }] }). Known pages: ` +
      `${served.join(', ') || 'none'}`,
  );
}
