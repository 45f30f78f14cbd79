import { PageError } from '../mcp.errors.js';
import type { McpPageCsp, McpPagePermission, McpPageSettings } from '../options/page-options.js';
import { declaredTypeOf } from '../routes/declared-type.js';
import { frozenCopy } from '../schema/json-schema.js';

/** The identifier of the extension that pages belong to (MCP Apps, 2026-01-26). */
export const PAGES_EXTENSION = 'io.modelcontextprotocol/ui';

/** The media type of a page. Clients compare it as text. */
export const PAGE_TYPE = 'text/html;profile=mcp-app';

/** What a client should know of a page, as `_meta` of its content (MCP Apps, `UIResourceMeta`). */
interface PageMeta {
  readonly ui: {
    readonly csp?: McpPageCsp;
    readonly permissions?: Readonly<Partial<Record<McpPagePermission, object>>>;
    readonly domain?: string;
    readonly prefersBorder?: boolean;
  };
}

/** A page that a resource serves. */
export interface Page {
  /** Undefined: the client decides everything. */
  readonly meta: PageMeta | undefined;
  /** Undefined: a route returns the page. */
  readonly html?: string;
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

/** The page of a resource with a `ui:` URI. */
export function pageOf({ csp, permissions, domain, prefersBorder }: McpPageSettings): Page {
  const ui: PageMeta['ui'] = {
    ...(csp !== undefined && { csp }),
    ...(permissions !== undefined && {
      permissions: Object.fromEntries(permissions.map((permission) => [permission, {}])),
    }),
    ...(domain !== undefined && { domain }),
    ...(prefersBorder !== undefined && { prefersBorder }),
  };
  return { meta: Object.keys(ui).length === 0 ? undefined : frozenCopy({ ui }) };
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
