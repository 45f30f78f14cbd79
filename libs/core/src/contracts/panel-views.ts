// The data that packages contribute to @fledge/panel. It is sent to a browser as JSON, so it holds
// no session ids, tokens or secrets.

/** A JSON Schema, as a client of MCP gets it. */
export type PanelSchema = Readonly<Record<string, unknown>>;

/** Something that the MCP server publishes. */
interface PanelPublished {
  /** Path of the first endpoint that has it; undefined over stdio. */
  readonly endpoint?: string;
}

/** A tool of the MCP server. */
export interface PanelTool extends PanelPublished {
  readonly name: string;
  readonly title?: string;
  /** Empty if the tool has none. */
  readonly description: string;
  readonly inputSchema: PanelSchema;
  readonly outputSchema?: PanelSchema;
  /** Hints such as `readOnlyHint`. */
  readonly annotations: Readonly<Record<string, unknown>>;
  /** HTTP method of the route. */
  readonly verb: string;
  /** Path of the route, with prefix and version: `/tasks/:id`. */
  readonly path: string;
  /** `TasksController.get` */
  readonly handler: string;
  /** Where the arguments go in the request of the route. */
  readonly request: PanelToolRequest;
}

/** What the equivalent HTTP request of a tool call is made of. */
export interface PanelToolRequest {
  readonly places: readonly {
    readonly argument: string;
    readonly target: 'path' | 'query' | 'body';
    /** Name in the request. */
    readonly name: string;
    /** How a list is written in the query: `joined` in one text. Undefined: its name is repeated. */
    readonly list?: { readonly separator: string; readonly form: 'joined' | 'split' };
  }[];
  /** Where arguments go that no place names; undefined if each has one. */
  readonly rest?: 'query' | 'body';
  /** `whole`: the one argument of the body is the body. */
  readonly body: 'none' | 'fields' | 'whole';
  /** Members of the body that are the same in each call. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Member of the body that has the arguments of the body. */
  readonly argumentsIn?: string;
}

/** A resource with a fixed URI. */
export interface PanelResource extends PanelPublished {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType?: string;
  readonly verb: string;
  readonly path: string;
}

/** A resource whose URI has fields. */
export interface PanelResourceTemplate extends Omit<PanelResource, 'uri'> {
  /** RFC 6570: `tasks://{id}` */
  readonly uriTemplate: string;
}

/** A prompt of the MCP server. */
export interface PanelPrompt extends PanelPublished {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required: boolean;
  }[];
  readonly verb: string;
  readonly path: string;
}

/** What the MCP server publishes. */
export interface PanelCatalogue {
  /** Path of the first endpoint in the application; undefined when it serves stdio only. */
  readonly endpointPath?: string;
  readonly server: { readonly name: string; readonly version: string };
  readonly tools: readonly PanelTool[];
  readonly resources: readonly PanelResource[];
  readonly templates: readonly PanelResourceTemplate[];
  readonly prompts: readonly PanelPrompt[];
  /** Rules of clients and directories that the tools break, errors first. */
  readonly findings: readonly PanelFinding[];
}

/** A rule of clients or directories that tools break. */
export interface PanelFinding {
  /** Id of the rule, such as `N1`. */
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** Whose rule it is. */
  readonly clients: readonly string[];
  readonly text: string;
  readonly fix: string;
  /** Where the rule was found, and when. */
  readonly source: string;
  readonly date: string;
  /** Without `tool`: the server. */
  readonly places: readonly {
    readonly tool?: string;
    readonly parameter?: string;
    readonly detail?: string;
  }[];
}

/** An open MCP session. */
export interface PanelSession {
  /** Names the session in requests of the panel: a digest of its id, as `CallRecord.session`. */
  readonly key: string;
  /** Name the client reported. */
  readonly client?: string;
  readonly version?: string;
  readonly revision: string;
  /** Id of the principal that `auth.validate` returned, otherwise the user of the last call that had one. */
  readonly user?: string;
  /** Tenant of its last call. A session belongs to none: each call is a request with its own. */
  readonly tenant?: string;
  /** Calls of tools since it was opened. */
  readonly calls: number;
  /** Requests that are running. */
  readonly active: number;
  /** ISO 8601. */
  readonly openedAt?: string;
  /** ISO 8601, of the last message. */
  readonly lastAt?: string;
}

/** The sessions of one MCP endpoint in this process. */
export interface PanelEndpointSessions {
  /** `/_mcp/messages` */
  readonly path: string;
  /** `sessions.max` of the endpoint. */
  readonly max: number;
  readonly open: readonly PanelSession[];
  /** Clients turned away because all sessions of the endpoint were taken. */
  readonly refused: { readonly count: number; readonly lastAt?: string };
}

/** The sessions of the MCP server in this process. */
export interface PanelSessions {
  /** In the order of the option `endpoints`. Empty over stdio, and until the application has started. */
  readonly endpoints: readonly PanelEndpointSessions[];
}

/** The request that the tenants view describes. */
export interface PanelTenantQuestion {
  /** @default 'GET' */
  readonly method?: string;
  /** Path with query string. @default '/' */
  readonly path?: string;
  /** @default the host of the panel's own request */
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One step of finding a tenant: a strategy, the identifier, the directory. */
export interface PanelTenantStep {
  readonly name: string;
  /** False if an earlier step decided. */
  readonly asked: boolean;
  readonly value?: string;
  /** What the step found, in a sentence. */
  readonly text: string;
  /** False if this step refused the request. */
  readonly ok: boolean;
}

/** The tenant of the described request. Guards and `verify` are not run. */
export interface PanelTenantAnswer {
  readonly verdict: {
    /** Undefined for a request without a tenant and for a refused one. */
    readonly tenant?: string;
    /** HTTP status of the refusal. */
    readonly status?: number;
    readonly code?: string;
    readonly message?: string;
  };
  readonly steps: readonly PanelTenantStep[];
}

/** What the tenancy of the application is doing. */
export interface PanelTenants {
  /** Names of the strategies, in order. */
  readonly strategies: readonly string[];
  /** How the strategies' answers are combined. */
  readonly combine: string;
  /** Whether `verify` compares the tenant with the user. It is not run by a question. */
  readonly verifies: boolean;
  /** Tenants of the last requests, and those that are cached; at most 200. */
  readonly known: readonly {
    readonly id: string;
    /** `data.name` of its record, if that is a text. */
    readonly name?: string | undefined;
    /** Undefined if it is not cached. */
    readonly status?: string;
    /** Requests since the start. Of more than 1,000 tenants, the one unused for longest starts anew. */
    readonly requests?: number;
    /** Milliseconds the cached entry is still used. */
    readonly cacheMs?: number;
  }[];
  /** Refusals by code. */
  readonly refused: readonly { readonly code: string; readonly count: number }[];
}

/** A column of a list endpoint. */
export interface PanelQueryColumn {
  readonly name: string;
  readonly type?: string;
  readonly values?: readonly unknown[];
  /** Operators that may filter this column. */
  readonly operators: readonly string[];
}

/** A route with `@Qs`. */
export interface PanelQueryRoute {
  /** Names the route in requests of the panel: `GET /tasks`. */
  readonly key: string;
  readonly verb: string;
  /** With prefix and version. */
  readonly path: string;
  /** `TasksController.list` */
  readonly handler: string;
  readonly columns: readonly PanelQueryColumn[];
  readonly sortable: readonly string[];
  /** Whether `?q=` searches. */
  readonly searchable: boolean;
  readonly defaultLimit?: number;
  readonly maxLimit?: number;
  /** `drop` leaves invalid parts out, `throw` answers 400. */
  readonly onInvalid: string;
}

/** How a query string is read. */
export interface PanelQueryAnswer {
  /** Filters, sort, pagination and search. Undefined if the route answers 400. */
  readonly parsed?: object | undefined;
  /** Parts that the config does not allow or that are malformed. */
  readonly dropped: readonly { readonly text: string; readonly reason: string }[];
}

/** A mounted GraphQL endpoint. */
export interface PanelGraphqlMount {
  /** With the global prefix. */
  readonly path: string;
  readonly name: string;
  /** Undefined if the mount does not name it. */
  readonly runtime?: string;
  readonly queries: number;
  readonly mutations: number;
  readonly errors: number;
  readonly subscriptions?: { readonly active: number; readonly started: number };
}

/** A finished call of a tool. */
export interface PanelCall {
  /** Counts up from 1 in this process. */
  readonly id: number;
  /** ISO 8601, of the start. */
  readonly at: string;
  /** Name of the tool or prompt, or URI of the resource; the method if it is not known. */
  readonly tool: string;
  readonly kind: 'tool' | 'prompt' | 'resource';
  /** HTTP status of the route; undefined if it did not run or did not finish. */
  readonly status?: number;
  /** `refused`: the route did not run. `input-required`: the client is asked first. */
  readonly outcome: 'ok' | 'error' | 'refused' | 'cancelled' | 'input-required';
  readonly ms: number;
  /** Client that the caller reported: `claude-code 2.1.4`. */
  readonly client?: string;
  /** Protocol revision: `2026-07-28`. */
  readonly revision?: string;
  readonly tenant?: string;
  readonly tenantSource?: string;
  /** Id of the principal that `auth.validate` returned, otherwise a short name of the user of the route's request. */
  readonly user?: string;
  readonly error?: { readonly text: string; readonly cure?: string };
  /** Redacted. */
  readonly arguments?: unknown;
  readonly resultBytes?: number;
  /** Present with telemetry only. */
  readonly spans?: readonly PanelSpan[];
}

/** A span of a call's trace. */
export interface PanelSpan {
  readonly name: string;
  readonly depth: number;
  readonly startMs: number;
  readonly ms: number;
  readonly failed: boolean;
}
