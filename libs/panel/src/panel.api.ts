// The JSON API of the panel. The server and the page share this file. It has only types and
// constants, so that the page's bundle contains no server code. `fledge panel --json` prints data
// of these types.
import type { IntrospectionReport } from '@fledge/core';
import type {
  PanelCall,
  PanelGraphqlMount,
  PanelPrompt,
  PanelQueryAnswer,
  PanelQueryRoute,
  PanelResource,
  PanelResourceTemplate,
  PanelSession,
  PanelSessions,
  PanelTenantAnswer,
  PanelTenantQuestion,
  PanelTenants,
  PanelTool,
} from '@fledge/core/packages';
import type { PanelCallerOptions } from './panel.options.js';

export type {
  PanelCall,
  PanelCatalogue,
  PanelEndpointSessions,
  PanelGraphqlMount,
  PanelPrompt,
  PanelQueryAnswer,
  PanelQueryColumn,
  PanelQueryRoute,
  PanelResource,
  PanelResourceTemplate,
  PanelSchema,
  PanelSession,
  PanelSessions,
  PanelSpan,
  PanelTenantAnswer,
  PanelTenantQuestion,
  PanelTenants,
  PanelTenantStep,
  PanelTool,
  PanelToolRequest,
} from '@fledge/core/packages';

/** Address of the API, relative to the page at `/_fledge/`. */
export const PANEL_API = 'api';

/** Addresses of the views. Each key is also a key of `PanelViewOf`. */
export const PANEL_URLS = {
  /** GET `AppView` */
  app: 'api/app',
  /** GET `View<ToolsView>` */
  tools: 'api/tools',
  /** GET `View<CallsView>` */
  calls: 'api/calls',
  /** GET `View<LintView>` */
  lint: 'api/lint',
  /** GET `View<ResourcesView>` */
  resources: 'api/resources',
  /** GET `View<SessionsView>` */
  sessions: 'api/sessions',
  /** GET `View<TenantsView>` */
  tenants: 'api/tenants',
  /** GET `View<QueriesView>` */
  queries: 'api/queries',
  /** GET `View<GraphqlView>` */
  graphql: 'api/graphql',
  /** GET `SnapshotsView` */
  snapshots: 'api/snapshots',
  /** GET `CallersView` */
  callers: 'api/callers',
} as const satisfies { readonly [Name in keyof PanelViewOf]: `${typeof PANEL_API}/${Name}` };

/** GET `PanelState`: all views in one response. */
export const STATE_URL = 'api/state';

/** GET text/event-stream: events of `CALL_EVENTS`. */
export const CALL_STREAM_URL = 'api/calls/stream';

/**
 * Addresses of the POST requests. `PanelRequests` contains the types of the bodies and responses.
 */
export const ACTION_URLS = {
  endSession: 'api/sessions/end',
  askTenant: 'api/tenants/ask',
  parseQuery: 'api/queries/parse',
  checkCaller: 'api/callers/check',
  readResult: 'api/calls/result',
} as const satisfies { readonly [Name in keyof PanelRequests]: string };

/**
 * The data of a view. If the view needs a package that the application does not use, `cure` is a
 * sentence for the user.
 */
export type View<Data extends object> =
  | ({ readonly installed: true } & Data)
  | { readonly installed: false; readonly cure: string };

/** The body of a rejected or failed request, sent with a 4xx or 5xx status. */
export interface PanelProblem {
  readonly code: string;
  readonly message: string;
}

/** The application that the panel shows. */
export interface AppView {
  /** The option `name`, or else the name of the MCP server, or else `application`. */
  readonly name: string;
  readonly version?: string;
  readonly platform: 'express' | 'fastify';
  readonly node: string;
  /** Date and time in ISO 8601 format. */
  readonly startedAt: string;
  /**
   * Numbers that the navigation shows next to the views. If a package is not used, its number is
   * missing.
   */
  readonly counts: {
    readonly tools?: number;
    readonly calls?: number;
    readonly findings?: number;
    /** The number of resources, templates and prompts together. */
    readonly resources?: number;
    /** The sum of all endpoints. `max` is missing over stdio. */
    readonly sessions?: { readonly open: number; readonly max?: number };
    readonly tenants?: number;
    readonly queries?: number;
    readonly graphql?: number;
    readonly snapshots: number;
    readonly snapshotErrors: number;
  };
}

/** A tool with the sizes that the panel measured. */
export interface MeasuredTool extends PanelTool {
  /** The route's address, relative to the page. It may have path parameters: `../tasks/:id`. */
  readonly url: string;
  /** Size of the tool in `tools/list`, in bytes. */
  readonly bytes: number;
  /** Estimated tokens: `bytes` / 4, rounded. */
  readonly tokens: number;
  /** Names of the parameters without a description. */
  readonly undescribed: readonly string[];
}

export interface ToolsView {
  /**
   * The MCP endpoint relative to the page: `../_mcp/messages`. Undefined if there is no HTTP
   * endpoint. Without it, the page cannot run tools.
   */
  readonly endpoint?: string;
  readonly tools: readonly MeasuredTool[];
}

export interface CallsView {
  /** Maximum number of calls that the server keeps. */
  readonly capacity: number;
  /** The kept calls, oldest first. */
  readonly calls: readonly PanelCall[];
  /** Number of calls since startup. */
  readonly total: number;
  /** True if calls have spans. Otherwise, `traceCure` says how to enable telemetry. */
  readonly traces: boolean;
  readonly traceCure?: string;
}

/**
 * Events of the call stream. The data of the event `call` is a `PanelCall`, and the event id is the
 * id of the call. A client receives the calls after the id in `Last-Event-ID` (if it reconnects) or
 * in `?after=<id>`. Without such an id, a client receives only new calls. The data of the event
 * `dropped` is `CallsDropped`.
 */
export const CALL_EVENTS = { call: 'call', dropped: 'dropped' } as const;

/** The calls that were not sent. The client was too slow, or it was disconnected for too long. */
export interface CallsDropped {
  readonly count: number;
}

/** The size of a tool in `tools/list`. */
export interface ToolCost {
  readonly name: string;
  readonly bytes: number;
  readonly tokens: number;
  readonly schemaBytes: number;
  readonly descriptionBytes: number;
  readonly otherBytes: number;
  /** The parameters, and the size of each schema in bytes. The largest comes first. */
  readonly parameters: readonly { readonly name: string; readonly bytes: number }[];
}

/**
 * A problem of the tools: they cost many tokens, or they break a rule of clients or directories.
 */
export interface LintFinding {
  /** `size`, or the id of a rule of MCP clients or public server lists, such as `N1`. */
  readonly kind: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly title: string;
  readonly text: string;
  /** Without `tool`, the finding is about the whole server. */
  readonly places: readonly {
    readonly tool?: string;
    readonly parameter?: string;
    readonly detail?: string;
  }[];
  readonly cure: string;
  /** Code that shows the fix. */
  readonly example?: string;
}

export interface LintView {
  readonly bytes: number;
  readonly tokens: number;
  /** Number of tokens above which a client warns about a tool list. */
  readonly tokenLimit: number;
  readonly parameters: number;
  readonly undescribed: number;
  /** The tools, largest first. */
  readonly tools: readonly ToolCost[];
  readonly findings: readonly LintFinding[];
}

export interface ResourcesView {
  /** The same address as in `ToolsView`. */
  readonly endpoint?: string;
  readonly resources: readonly PanelResource[];
  readonly templates: readonly PanelResourceTemplate[];
  readonly prompts: readonly PanelPrompt[];
}

export type SessionsView = PanelSessions;

export interface EndSession {
  readonly key: PanelSession['key'];
}

export interface SessionEnded {
  readonly ended: true;
}

export type TenantsView = PanelTenants;

/** A route with `@Qs`, and the address of this route relative to the page: `../tasks`. */
export interface QueryRouteView extends PanelQueryRoute {
  readonly url: string;
}

export interface QueriesView {
  readonly routes: readonly QueryRouteView[];
}

export interface ParseQuery {
  /** The `key` of the `PanelQueryRoute`. */
  readonly route: string;
  /** The query string without the question mark. */
  readonly query: string;
}

/** A GraphQL mount, and the address of this mount relative to the page: `../graphql`. */
export interface GraphqlMountView extends PanelGraphqlMount {
  readonly url: string;
}

export interface GraphqlView {
  readonly mounts: readonly GraphqlMountView[];
}

export type SnapshotsView = IntrospectionReport;

/** The test callers. The panel can send requests with their headers. */
export interface CallersView {
  /** `PanelModule.forRoot({ callers })`; empty in production. */
  readonly callers: readonly PanelCallerOptions[];
  /** Paths of the GET routes that `checkCaller` can call. */
  readonly routes: readonly string[];
}

export interface CheckCaller {
  /** One of `CallersView.routes`. */
  readonly route: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The response of the route to a request with these headers, and the user and tenant that the
 * application found.
 */
export interface CheckedCaller {
  readonly status: number;
  /** The same short name as `PanelCall.user`. */
  readonly user?: string;
  readonly tenant?: string;
  /** The message of an error response. */
  readonly message?: string;
}

export interface ReadResult {
  /** The `id` of a `PanelCall`. */
  readonly id: number;
}

/**
 * The result of a tool: its structured content, the parsed JSON of its text, or its content blocks.
 * Secrets are replaced, and large parts are shortened.
 */
export interface CallResult {
  readonly result: unknown;
}

/** All views at one point in time. */
export interface PanelState {
  readonly app: AppView;
  readonly tools: View<ToolsView>;
  readonly calls: View<CallsView>;
  readonly lint: View<LintView>;
  readonly resources: View<ResourcesView>;
  readonly sessions: View<SessionsView>;
  readonly tenants: View<TenantsView>;
  readonly queries: View<QueriesView>;
  readonly graphql: View<GraphqlView>;
  readonly snapshots: SnapshotsView;
}

/**
 * The data of each view. People print and share `PanelState`, so it does not contain the headers of
 * callers.
 */
export interface PanelViewOf extends PanelState {
  readonly callers: CallersView;
}

/** The bodies and responses of the POST requests. */
export interface PanelRequests {
  readonly endSession: { readonly body: EndSession; readonly answer: SessionEnded };
  readonly askTenant: { readonly body: PanelTenantQuestion; readonly answer: PanelTenantAnswer };
  readonly parseQuery: { readonly body: ParseQuery; readonly answer: PanelQueryAnswer };
  readonly checkCaller: { readonly body: CheckCaller; readonly answer: CheckedCaller };
  readonly readResult: { readonly body: ReadResult; readonly answer: CallResult };
}
