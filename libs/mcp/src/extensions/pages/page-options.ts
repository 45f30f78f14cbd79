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

// Pages that clients show beside the result of a tool (MCP Apps, 2026-01-26).

/** The option of the module. */
export interface PagesOption {
  /**
   * Pages in files, which tools name with `@McpTool({ ui })`. A page can also be a route with
   * `@McpResource({ uri: 'ui://...' })`.
   * @default none
   */
  readonly pages?: readonly McpPageFile[];
}

/** The option of `@McpTool`. */
export interface PageToolOption {
  /**
   * The page that clients show beside the result: the URI of an `@McpResource`, or of one of `pages` of the module,
   * such as `ui://tasks/board`. Clients without pages get the tool without it.
   * @default none
   */
  readonly ui?: string | McpToolUi;
}

/** The option of `@McpResource`. */
export interface PageResourceOption {
  /** What a client should know before it shows a page. Only with a `ui:` URI. @default no network */
  readonly ui?: McpPageSettings;
}

/** How clients with pages show a tool (MCP Apps). */
export interface McpToolUi {
  /** URI of the page that shows the result. @default none */
  readonly resourceUri?: string;
  /**
   * Who may call the tool: the model, pages, or both. Clients without pages do not get a tool that is for pages
   * only in their lists, and models do not find it. It is no access control: guards are.
   * @default both
   */
  readonly visibility?: readonly ('model' | 'app')[];
}

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
