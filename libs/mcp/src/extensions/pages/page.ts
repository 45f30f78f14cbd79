import { ErrorCode, RequestFault } from '../../serve/protocol/json-rpc.js';
import type { ReadResult } from '../../serve/methods/answer.js';
import { declaredTypeOf } from '../../publish/routes/declared-type.js';
import { frozenCopy } from '../../publish/schema/json-schema.js';
import { PageError } from './page-error.js';
import type { McpPageCsp, McpPagePermission, McpPageSettings, McpToolUi } from './page-options.js';

/** Identifier of the MCP Apps extension (2026-01-26), which defines pages. */
export const PAGES_EXTENSION = 'io.modelcontextprotocol/ui';

/** Media type of a page. Clients compare it character by character. */
export const PAGE_TYPE = 'text/html;profile=mcp-app';

/** Settings for showing a page, sent as `_meta` of its content (MCP Apps, `UIResourceMeta`). */
export interface PageMeta {
  readonly ui: {
    readonly csp?: McpPageCsp;
    readonly permissions?: Readonly<Partial<Record<McpPagePermission, object>>>;
    readonly domain?: string;
    readonly prefersBorder?: boolean;
  };
}

export function isPageUri(uri: string): boolean {
  return uri.startsWith('ui://');
}

/** Returns true if a client supports pages (MCP Apps, capability negotiation). */
export function showsPages(capabilities: Readonly<Record<string, unknown>>): boolean {
  const { extensions } = capabilities as {
    readonly extensions?: Readonly<Record<string, { readonly mimeTypes?: unknown }>>;
  };
  const types = extensions?.[PAGES_EXTENSION]?.mimeTypes;
  return Array.isArray(types) && types.includes(PAGE_TYPE);
}

/**
 * Builds `_meta` of a page. Returns undefined if the page has no settings, so the client decides.
 */
export function pageMeta({
  csp,
  permissions,
  domain,
  prefersBorder,
}: McpPageSettings): PageMeta | undefined {
  const ui: PageMeta['ui'] = {
    ...(csp !== undefined && { csp }),
    ...(permissions !== undefined && {
      permissions: Object.fromEntries(permissions.map((permission) => [permission, {}])),
    }),
    ...(domain !== undefined && { domain }),
    ...(prefersBorder !== undefined && { prefersBorder }),
  };
  return Object.keys(ui).length === 0 ? undefined : frozenCopy({ ui });
}

/**
 * @throws PageError if a route declares a content type other than HTML, or if a resource declares a
 * media type other than `PAGE_TYPE`
 */
export function assertHtml(handler: Function, mimeType: string | undefined, place: string): void {
  if (mimeType !== undefined && mimeType !== PAGE_TYPE) {
    throw new PageError(
      place,
      `mimeType is "${mimeType}", but a page is always sent as "${PAGE_TYPE}". Remove mimeType`,
    );
  }
  const declared = declaredTypeOf(handler);
  if (declared === undefined || /^text\/html\b/i.test(declared)) return;
  throw new PageError(place, `the route returns ${declared}, but a page must be text/html`);
}

/**
 * Returns the content of a page with its settings.
 * @throws RequestFault if the route did not return HTML
 */
export function readPage({ contents }: ReadResult, meta: PageMeta | undefined): ReadResult {
  return {
    contents: contents.map(({ uri, mimeType, text }) => {
      // If a route returns a string, Fastify sets the content type `text/plain`.
      if (![PAGE_TYPE, 'text/html', 'text/plain'].includes(mimeType)) {
        throw new RequestFault(
          ErrorCode.InternalError,
          `The route of the page "${uri}" returned ${mimeType} instead of HTML`,
        );
      }
      return {
        uri,
        mimeType: PAGE_TYPE,
        ...(text !== undefined && { text }),
        ...(meta && { _meta: meta }),
      };
    }),
  };
}

/** Returns true if only pages may call the tool. Clients hide such a tool from the model. */
export function isForPagesOnly({ visibility }: McpToolUi): boolean {
  return visibility?.includes('model') === false;
}

/**
 * Builds `_meta` of a tool in the list. Clients released before 2026 read the second key. Some
 * clients show no page if the visibility is missing, so its default is sent too.
 */
export function metaOfUi({
  resourceUri,
  visibility = ['model', 'app'],
}: McpToolUi): Readonly<Record<string, unknown>> {
  return {
    ui: { ...(resourceUri !== undefined && { resourceUri }), visibility },
    ...(resourceUri !== undefined && { 'ui/resourceUri': resourceUri }),
  };
}
