import type { KnownOptions } from '@fledge/core/packages';
import { bad } from './bad-option.js';

// Pages that clients show beside the result of a tool (MCP Apps, 2026-01-26).

/** Origins that a page may use, such as `https://cdn.example.com` or `https://*.example.com`. */
export interface McpPageCsp {
  /** For `fetch`, XMLHttpRequest and WebSocket. @default none */
  readonly connectDomains?: readonly string[];
  /** For scripts, styles, images, fonts and media. @default none: inline and `data:` only */
  readonly resourceDomains?: readonly string[];
  /** For nested frames. @default none */
  readonly frameDomains?: readonly string[];
  /** For `<base href>`. @default none */
  readonly baseUriDomains?: readonly string[];
}

/** What a page may ask the browser for, if the client allows it. */
export type McpPagePermission = 'camera' | 'microphone' | 'geolocation' | 'clipboardWrite';

/** What a client should know before it shows a page. */
export interface McpPageSettings {
  /** @default no network: inline scripts and styles only */
  readonly csp?: McpPageCsp;
  /** @default none */
  readonly permissions?: readonly McpPagePermission[];
  /** Origin for the page's sandbox, in the form that the client documents. @default chosen by the client */
  readonly domain?: string;
  /** Whether the client should draw a border around the page. @default chosen by the client */
  readonly prefersBorder?: boolean;
}

/** A page that is served from a file. */
export interface McpPageFile extends McpPageSettings {
  /** URI that tools name, such as `ui://tasks/board`. */
  readonly uri: string;
  /** An HTML file: an absolute path, a path from the working directory, or a `file:` URL. It is read at boot. */
  readonly file: string | URL;
  /** Name in the list. @default the URI */
  readonly name?: string;
  /** Display name. @default none */
  readonly title?: string;
  /** Description sent to clients. @default none */
  readonly description?: string;
}

const CSP: KnownOptions<McpPageCsp> = {
  connectDomains: true,
  resourceDomains: true,
  frameDomains: true,
  baseUriDomains: true,
};

const PAGE_SETTINGS: KnownOptions<McpPageSettings> = {
  csp: { known: CSP },
  permissions: true,
  domain: true,
  prefersBorder: true,
};

export const PAGE_FILE: KnownOptions<McpPageFile> = {
  ...PAGE_SETTINGS,
  uri: true,
  file: true,
  name: true,
  title: true,
  description: true,
};

/** @throws McpOptionError if `pages` is no list of files with URIs */
export function pagesOf(pages: readonly McpPageFile[] = []): readonly McpPageFile[] {
  for (const [i, { uri, file }] of pages.entries()) {
    const isFile = (typeof file === 'string' && file !== '') || file instanceof URL;
    if (typeof uri !== 'string') throw bad(`pages[${i}].uri`, uri, "a URI such as 'ui://board'");
    if (!isFile) throw bad(`pages[${i}].file`, file, 'the path of an HTML file');
  }
  return pages;
}
