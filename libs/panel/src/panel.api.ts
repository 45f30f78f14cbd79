// The JSON API of the panel: shared by the server and the page, and read by `fledge panel --json`.
// Types and constants only, so that the page's bundle takes nothing else from here.
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

/** Addresses of the views: each is named as its member of `PanelViewOf`. */
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

/** GET `PanelState`: each view at once. */
export const STATE_URL = 'api/state';

/** GET text/event-stream: events of `CALL_EVENTS`. */
export const CALL_STREAM_URL = 'api/calls/stream';

/** Addresses of the POST requests, with the bodies and answers of `PanelRequests`. */
export const ACTION_URLS = {
  endSession: 'api/sessions/end',
  askTenant: 'api/tenants/ask',
  parseQuery: 'api/queries/parse',
  checkCaller: 'api/callers/check',
  readResult: 'api/calls/result',
} as const satisfies { readonly [Name in keyof PanelRequests]: string };

/** A view whose package may be missing from the application. `cure` is a sentence for the user. */
export type View<Data extends object> =
  | ({ readonly installed: true } & Data)
  | { readonly installed: false; readonly cure: string };

/** The answer to a refused or failed request, with a 4xx or 5xx status. */
export interface PanelProblem {
  readonly code: string;
  readonly message: string;
}

/** The application that the panel shows. */
export interface AppView {
  /** From `PanelModule.forRoot({ name })`, else the MCP server's name, else `application`. */
  readonly name: string;
  readonly version?: string;
  readonly platform: 'express' | 'fastify';
  readonly node: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Numbers beside the entries of the rail; missing where the package is. */
  readonly counts: {
    readonly tools?: number;
    readonly calls?: number;
    readonly findings?: number;
    /** Resources, templates and prompts. */
    readonly resources?: number;
    /** Of all endpoints together; `max` is missing over stdio. */
    readonly sessions?: { readonly open: number; readonly max?: number };
    readonly tenants?: number;
    readonly queries?: number;
    readonly graphql?: number;
    readonly snapshots: number;
    readonly snapshotErrors: number;
  };
}

/** A tool, and what the panel measured of it. */
export interface MeasuredTool extends PanelTool {
  /** The route's address relative to the page, with its path parameters: `../tasks/:id`. */
  readonly url: string;
  /** Bytes of its entry in `tools/list`. */
  readonly bytes: number;
  /** Bytes / 4, rounded. */
  readonly tokens: number;
  /** Parameters without a description. */
  readonly undescribed: readonly string[];
}

export interface ToolsView {
  /**
   * The MCP endpoint, relative to the page: `../_mcp/messages`. Undefined when there is no HTTP
   * endpoint, so tools cannot be run.
   */
  readonly endpoint?: string;
  readonly tools: readonly MeasuredTool[];
}

export interface CallsView {
  /** Calls the server keeps. */
  readonly capacity: number;
  /** Oldest first, at most `capacity`. */
  readonly calls: readonly PanelCall[];
  /** Calls since boot. */
  readonly total: number;
  /** Whether calls have spans; if not, `traceCure` says how to turn telemetry on. */
  readonly traces: boolean;
  readonly traceCure?: string;
}

/**
 * Events of the call stream. `call` carries a `PanelCall`, and its id is the event's id: a client
 * that reconnects with `Last-Event-ID` gets the calls it missed. `dropped` carries `CallsDropped`.
 * Without `Last-Event-ID`, `?after=<id>` says where to begin; without both, only new calls are sent.
 */
export const CALL_EVENTS = { call: 'call', dropped: 'dropped' } as const;

/** Calls that were not sent, because this reader was too slow or was away for too long. */
export interface CallsDropped {
  readonly count: number;
}

/** What one tool costs in `tools/list`. */
export interface ToolCost {
  readonly name: string;
  readonly bytes: number;
  readonly tokens: number;
  readonly schemaBytes: number;
  readonly descriptionBytes: number;
  readonly otherBytes: number;
  /** Parameters with the bytes of their schemas, widest first. */
  readonly parameters: readonly { readonly name: string; readonly bytes: number }[];
}

/** Something in the catalogue that costs tokens or that clients have trouble with. */
export interface LintFinding {
  /** `size`, or the id of a rule of clients and directories, such as `N1`. */
  readonly kind: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly title: string;
  readonly text: string;
  /** Without `tool`: the server. */
  readonly places: readonly {
    readonly tool?: string;
    readonly parameter?: string;
    readonly detail?: string;
  }[];
  readonly cure: string;
  /** Code that shows the cure. */
  readonly example?: string;
}

export interface LintView {
  readonly bytes: number;
  readonly tokens: number;
  /** Tokens above which a client warns of a tool list. */
  readonly tokenLimit: number;
  readonly parameters: number;
  readonly undescribed: number;
  /** Largest first. */
  readonly tools: readonly ToolCost[];
  readonly findings: readonly LintFinding[];
}

export interface ResourcesView {
  /** As in `ToolsView`. */
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

/** A route with `@Qs`, and its address relative to the page: `../tasks`. */
export interface QueryRouteView extends PanelQueryRoute {
  readonly url: string;
}

export interface QueriesView {
  readonly routes: readonly QueryRouteView[];
}

export interface ParseQuery {
  /** `PanelQueryRoute.key` */
  readonly route: string;
  /** Without the question mark. */
  readonly query: string;
}

/** A GraphQL mount, and its address relative to the page: `../graphql`. */
export interface GraphqlMountView extends PanelGraphqlMount {
  readonly url: string;
}

export interface GraphqlView {
  readonly mounts: readonly GraphqlMountView[];
}

export type SnapshotsView = IntrospectionReport;

/** Whom the panel can send requests as. */
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

/** What the route answered to the headers, and whom the application found. */
export interface CheckedCaller {
  readonly status: number;
  /** As `PanelCall.user`. */
  readonly user?: string;
  readonly tenant?: string;
  /** Of an error. */
  readonly message?: string;
}

export interface ReadResult {
  /** `PanelCall.id` */
  readonly id: number;
}

/** What a tool answered: its structured content, the JSON of its text, or its content blocks. Secrets are replaced, and large parts cut. */
export interface CallResult {
  readonly result: unknown;
}

/** Each view at one moment. */
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

/** The data of each view. The headers of callers are not part of `PanelState`, which people print and share. */
export interface PanelViewOf extends PanelState {
  readonly callers: CallersView;
}

/** Bodies and answers of the POST requests. */
export interface PanelRequests {
  readonly endSession: { readonly body: EndSession; readonly answer: SessionEnded };
  readonly askTenant: { readonly body: PanelTenantQuestion; readonly answer: PanelTenantAnswer };
  readonly parseQuery: { readonly body: ParseQuery; readonly answer: PanelQueryAnswer };
  readonly checkCaller: { readonly body: CheckCaller; readonly answer: CheckedCaller };
  readonly readResult: { readonly body: ReadResult; readonly answer: CallResult };
}
