import {
  checked,
  flag,
  group,
  groupIfGiven,
  kind,
  listOf,
  oneOf,
  type OptionTable,
  type ReadOptions,
  readOptions,
  rule,
  text,
} from '@fledge-internal/options';

// Pages that clients show next to the result of a tool (MCP Apps, 2026-01-26).

/** Module option for pages in files. */
export interface PagesOption {
  /**
   * Pages in files. A tool refers to a page with `@McpTool({ ui })`. A page can also be a route
   * with `@McpResource({ uri: 'ui://...' })`.
   * @default none
   */
  readonly pages?: readonly McpPageFile[];
}

/** Option of `@McpTool` for its page. */
export interface PageToolOption {
  /**
   * The page that clients show next to the result: the URI of an `@McpResource` or of an entry in
   * the module's `pages`, such as `ui://tasks/board`. Clients that do not support pages list the
   * tool without a page.
   * @default none
   */
  readonly ui?: string | McpToolUi;
}

/** Option of `@McpResource` for pages. */
export interface PageResourceOption {
  /**
   * Settings that a client applies when it shows the page. Allowed only with a `ui:` URI.
   * @default no network
   */
  readonly ui?: McpPageSettings;
}

/** Options of a tool for clients that support pages (MCP Apps). */
export interface McpToolUi {
  /** URI of the page that shows the result. @default none */
  readonly resourceUri?: string;
  /**
   * The callers of the tool: the model, pages, or both. A tool for pages only is hidden from models
   * and from clients that do not support pages. This is not access control; use guards for that.
   * @default both
   */
  readonly visibility?: readonly ('model' | 'app')[];
}

/** Origins that a page may use, such as `https://cdn.example.com` or `https://*.example.com`. */
export interface McpPageCsp {
  /** Origins for `fetch`, XMLHttpRequest and WebSocket. @default none */
  readonly connectDomains?: readonly string[];
  /** Origins of scripts, styles, images, fonts and media. @default none: inline and `data:` only */
  readonly resourceDomains?: readonly string[];
  /** Origins of nested frames. @default none */
  readonly frameDomains?: readonly string[];
  /** Origins allowed in `<base href>`. @default none */
  readonly baseUriDomains?: readonly string[];
}

/** Browser permissions that a page may request, if the client allows it. */
export type McpPagePermission = 'camera' | 'microphone' | 'geolocation' | 'clipboardWrite';

/** Settings that a client applies when it shows a page. */
export interface McpPageSettings {
  /** @default no network: inline scripts and styles only */
  readonly csp?: McpPageCsp;
  /** @default none */
  readonly permissions?: readonly McpPagePermission[];
  /**
   * Origin for the page's sandbox, in the format that the client documents.
   * @default chosen by the client
   */
  readonly domain?: string;
  /** True if the client should draw a border around the page. @default chosen by the client */
  readonly prefersBorder?: boolean;
}

/** A page that is served from a file. */
export interface McpPageFile extends McpPageSettings {
  /** URI by which tools refer to the page, such as `ui://tasks/board`. */
  readonly uri: string;
  /**
   * An HTML file: an absolute path, a path relative to the working directory, or a `file:` URL. It
   * is read at startup.
   */
  readonly file: string | URL;
  /** Name in the list. @default the URI */
  readonly name?: string;
  /** Display name. @default none */
  readonly title?: string;
  /** Description sent to clients. @default none */
  readonly description?: string;
}

/**
 * Matches one origin without a path. The origin becomes part of a Content-Security-Policy header,
 * so other text must not be accepted.
 */
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

const PAGE_SETTINGS = {
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

export const PAGES_OPTION = {
  pages: checked<readonly McpPageFile[]>(
    listOf(group<McpPageFile, typeof PAGE_FILE>(PAGE_FILE)).required,
  ).default([]),
} satisfies OptionTable<PagesOption>;

const UI = {
  resourceUri: text.optional,
  visibility: listOf(oneOf('model', 'app').required, 1).optional,
} satisfies OptionTable<McpToolUi>;

export const PAGE_TOOL_OPTION = {
  ui: rule((given: PageToolOption['ui'], place): McpToolUi | undefined => {
    if (given === undefined) return undefined;
    if (typeof given === 'string') return { resourceUri: given };
    readOptions(given, UI, place);
    return given;
  }),
} satisfies OptionTable<PageToolOption>;

export type ResolvedPageTool = ReadOptions<typeof PAGE_TOOL_OPTION>;

export const PAGE_RESOURCE_OPTION = {
  ui: checked<McpPageSettings>(group(PAGE_SETTINGS)).optional,
} satisfies OptionTable<PageResourceOption>;

export type ResolvedPageResource = ReadOptions<typeof PAGE_RESOURCE_OPTION>;
