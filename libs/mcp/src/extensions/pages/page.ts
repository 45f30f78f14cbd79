import { ErrorCode, RequestFault } from '../../serve/protocol/json-rpc.js';
import type { ReadResult } from '../../serve/methods/answer.js';
import { declaredTypeOf } from '../../publish/routes/declared-type.js';
import { frozenCopy } from '../../publish/schema/json-schema.js';
import { PageError } from './page-error.js';
import type { McpPageCsp, McpPagePermission, McpPageSettings, McpToolUi } from './page-options.js';

/** The identifier of the extension that pages belong to (MCP Apps, 2026-01-26). */
export const PAGES_EXTENSION = 'io.modelcontextprotocol/ui';

/** The media type of a page. Clients compare it as text. */
export const PAGE_TYPE = 'text/html;profile=mcp-app';

/** What a client should know of a page, as `_meta` of its content (MCP Apps, `UIResourceMeta`). */
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

/** Whether a client shows pages (MCP Apps, capability negotiation). */
export function showsPages(capabilities: Readonly<Record<string, unknown>>): boolean {
  const { extensions } = capabilities as {
    readonly extensions?: Readonly<Record<string, { readonly mimeTypes?: unknown }>>;
  };
  const types = extensions?.[PAGES_EXTENSION]?.mimeTypes;
  return Array.isArray(types) && types.includes(PAGE_TYPE);
}

/** What a client should know of a page. Undefined: the client decides everything. */
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

/** @throws PageError if a route declares another type than HTML, or a resource another one than that of pages */
export function assertHtml(handler: Function, mimeType: string | undefined, place: string): void {
  if (mimeType !== undefined && mimeType !== PAGE_TYPE) {
    throw new PageError(
      place,
      `mimeType is "${mimeType}", but a page has "${PAGE_TYPE}". Remove it`,
    );
  }
  const declared = declaredTypeOf(handler);
  if (declared === undefined || /^text\/html\b/i.test(declared)) return;
  throw new PageError(place, `the route answers ${declared}, but a page is text/html`);
}

/**
 * The content of a page. Clients read its settings here, not in the list (MCP Apps, 2026-01-26).
 * @throws RequestFault if the route returned no HTML
 */
export function readPage({ contents }: ReadResult, meta: PageMeta | undefined): ReadResult {
  return {
    contents: contents.map(({ uri, mimeType, text }) => {
      // Fastify labels a text that a route returns as `text/plain`.
      if (![PAGE_TYPE, 'text/html', 'text/plain'].includes(mimeType)) {
        throw new RequestFault(
          ErrorCode.InternalError,
          `The route of the page "${uri}" answered ${mimeType}, not HTML`,
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

/** True if only pages may call the tool. Clients hide it from the model. */
export function isForPagesOnly({ visibility }: McpToolUi): boolean {
  return visibility?.includes('model') === false;
}

/** `_meta` of a listed tool. The second key is that of clients from before 2026. */
export function metaOfUi({
  resourceUri,
  visibility,
}: McpToolUi): Readonly<Record<string, unknown>> {
  return {
    ui: {
      ...(resourceUri !== undefined && { resourceUri }),
      ...(visibility !== undefined && { visibility }),
    },
    ...(resourceUri !== undefined && { 'ui/resourceUri': resourceUri }),
  };
}
