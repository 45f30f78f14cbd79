import {
  checked,
  flag,
  group,
  groupIfGiven,
  kind,
  listOf,
  oneOf,
  type OptionTable,
  text,
} from '@fledge-internal/options';

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

/** One origin, without path. It becomes part of a Content-Security-Policy header, so no other text may pass. */
const ORIGIN = /^(https?|wss?):\/\/(\*\.)?[a-z\d]([a-z\d.-]*[a-z\d])?(:\d{1,5})?$/i;

const origins = listOf(
  kind<string>(
    "an origin such as 'https://api.example.com' or 'https://*.example.com'",
    (value) => typeof value === 'string' && ORIGIN.test(value),
  ).required,
).optional;

const CSP = {
  connectDomains: origins,
  resourceDomains: origins,
  frameDomains: origins,
  baseUriDomains: origins,
} satisfies OptionTable<McpPageCsp>;

export const PAGE_SETTINGS = {
  csp: groupIfGiven(CSP),
  permissions: listOf(oneOf('camera', 'microphone', 'geolocation', 'clipboardWrite').required)
    .optional,
  domain: text.optional,
  prefersBorder: flag.optional,
} satisfies OptionTable<McpPageSettings>;

const PAGE_FILE = {
  ...PAGE_SETTINGS,
  uri: kind<string>("a URI such as 'ui://board'", (value) => typeof value === 'string').required,
  file: kind<string | URL>(
    'the path of an HTML file',
    (value) => (typeof value === 'string' && value !== '') || value instanceof URL,
  ).required,
  name: text.optional,
  title: text.optional,
  description: text.optional,
} satisfies OptionTable<McpPageFile>;

export const pages = checked<readonly McpPageFile[]>(
  listOf(group<McpPageFile, typeof PAGE_FILE>(PAGE_FILE)).required,
).default([]);
