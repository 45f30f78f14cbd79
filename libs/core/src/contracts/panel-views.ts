// The data that packages provide for @fledge/panel. It is sent to a browser as JSON. It must not
// contain session ids, tokens or secrets.

/** A JSON Schema, as sent to MCP clients. */
export type PanelSchema = Readonly<Record<string, unknown>>;

/** An item that the MCP server publishes. */
interface PanelPublished {
  /** Path of the first endpoint that publishes the item. Undefined over stdio. */
  readonly endpoint?: string;
}

/** A tool of the MCP server. */
export interface PanelTool extends PanelPublished {
  readonly name: string;
  readonly title?: string;
  /** Empty if the tool has no description. */
  readonly description: string;
  readonly inputSchema: PanelSchema;
  readonly outputSchema?: PanelSchema;
  /** Hints such as `readOnlyHint`. */
  readonly annotations: Readonly<Record<string, unknown>>;
  /** HTTP method of the route. */
  readonly verb: string;
  /** Path of the route, with prefix and version: `/tasks/:id`. */
  readonly path: string;
  /** Handler, such as `TasksController.get`. */
  readonly handler: string;
  /** The places of the arguments in the request of the route. */
  readonly request: PanelToolRequest;
}

/** Describes the equivalent HTTP request of a tool call. */
export interface PanelToolRequest {
  readonly places: readonly {
    readonly argument: string;
    readonly target: 'path' | 'query' | 'body';
    /** Name in the request. */
    readonly name: string;
    /**
     * The form of a list in the query string. `joined`: all items in one value. If undefined, the
     * name is repeated.
     */
    readonly list?: { readonly separator: string; readonly form: 'joined' | 'split' };
  }[];
  /** The place of all other arguments. Undefined if every argument has its own place. */
  readonly rest?: 'query' | 'body';
  /** `whole`: the argument `body` is the entire request body. */
  readonly body: 'none' | 'fields' | 'whole';
  /** Fields of the body that are the same in each call. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** The field of the body that contains the arguments. */
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

/** A resource whose URI has parameters. */
export interface PanelResourceTemplate extends Omit<PanelResource, 'uri'> {
  /** URI template (RFC 6570), such as `tasks://{id}`. */
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

/** Everything that the MCP server publishes. */
export interface PanelCatalogue {
  /** Path of the first endpoint of the application. Undefined if it only serves stdio. */
  readonly endpointPath?: string;
  readonly server: { readonly name: string; readonly version: string };
  readonly tools: readonly PanelTool[];
  readonly resources: readonly PanelResource[];
  readonly templates: readonly PanelResourceTemplate[];
  readonly prompts: readonly PanelPrompt[];
  /** The broken rules of clients and public directories, errors first. */
  readonly findings: readonly PanelFinding[];
}

/** A broken rule of clients or public directories. */
export interface PanelFinding {
  /** Id of the rule, such as `N1`. */
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** Clients that enforce the rule. */
  readonly clients: readonly string[];
  readonly text: string;
  readonly fix: string;
  /** Source of the rule, and date. */
  readonly source: string;
  readonly date: string;
  /** Without `tool`, the finding is about the whole server. */
  readonly places: readonly {
    readonly tool?: string;
    readonly parameter?: string;
    readonly detail?: string;
  }[];
}

/** An open MCP session. */
export interface PanelSession {
  /**
   * Identifies the session in requests of the panel. It is a digest of the session id, as in
   * `CallRecord.session`.
   */
  readonly key: string;
  /** Name reported by the client. */
  readonly client?: string;
  readonly version?: string;
  readonly revision: string;
  /**
   * Id of the principal that `auth.validate` returned. Without a principal, the user of the last
   * call that has a user.
   */
  readonly user?: string;
  /**
   * Tenant of the session's last call. A session has no own tenant, because each call is a request
   * with its own tenant.
   */
  readonly tenant?: string;
  /** Number of tool calls since the session was opened. */
  readonly calls: number;
  /** Number of running requests. */
  readonly active: number;
  /** ISO 8601. */
  readonly openedAt?: string;
  /** Time of the last message, ISO 8601. */
  readonly lastAt?: string;
}

/** The sessions of one MCP endpoint in this process. */
export interface PanelEndpointSessions {
  /** Path of the endpoint, such as `/_mcp/messages`. */
  readonly path: string;
  /** `sessions.max` of the endpoint. */
  readonly max: number;
  readonly open: readonly PanelSession[];
  /** Clients rejected because all sessions of the endpoint were in use. */
  readonly refused: { readonly count: number; readonly lastAt?: string };
}

/** The sessions of the MCP server in this process. */
export interface PanelSessions {
  /**
   * The endpoints, in the order of the option `endpoints`. Empty over stdio, and empty until the
   * application has started.
   */
  readonly endpoints: readonly PanelEndpointSessions[];
}

/** The request that is described in the view "Tenants". */
export interface PanelTenantQuestion {
  /**
   * HTTP method of the described request.
   * @default 'GET'
   */
  readonly method?: string;
  /** Path and query string. @default '/' */
  readonly path?: string;
  /** Host. @default the host of the panel's own request */
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One step of the search for a tenant: a strategy, the identifier, or the directory. */
export interface PanelTenantStep {
  readonly name: string;
  /** False if the step was skipped, because an earlier step gave the result. */
  readonly asked: boolean;
  readonly value?: string;
  /** Result of the step, as a sentence. */
  readonly text: string;
  /** False if this step rejected the request. */
  readonly ok: boolean;
}

/** The tenant of the described request. It is found without guards and without `verify`. */
export interface PanelTenantAnswer {
  readonly verdict: {
    /** Undefined for a request without a tenant, and for a rejected request. */
    readonly tenant?: string;
    /** HTTP status of the rejection. */
    readonly status?: number;
    readonly code?: string;
    readonly message?: string;
  };
  readonly steps: readonly PanelTenantStep[];
}

/** The state of the application's tenancy. */
export interface PanelTenants {
  /** Names of the strategies, in the order in which they run. */
  readonly strategies: readonly string[];
  /** The rule that combines the results of the strategies. */
  readonly combine: string;
  /**
   * True if `verify` is configured. The panel does not run `verify` when it describes a request.
   */
  readonly verifies: boolean;
  /** Tenants of the latest requests, and cached tenants. At most 200 tenants are listed. */
  readonly known: readonly {
    readonly id: string;
    /** `data.name` of the tenant's record, if it is a string. */
    readonly name?: string | undefined;
    /** Undefined if the tenant is not cached. */
    readonly status?: string;
    /**
     * Number of requests since startup. If there are more than 1,000 tenants, the number of
     * the least recently used tenant starts at 0 again.
     */
    readonly requests?: number;
    /** Milliseconds until the cache entry expires. */
    readonly cacheMs?: number;
  }[];
  /** The number of rejections, by error code. */
  readonly refused: readonly { readonly code: string; readonly count: number }[];
}

/** A column of a list endpoint. */
export interface PanelQueryColumn {
  readonly name: string;
  readonly type?: string;
  readonly values?: readonly unknown[];
  /** The operators with which clients may filter this column. */
  readonly operators: readonly string[];
}

/** A route with `@Qs`. */
export interface PanelQueryRoute {
  /** Identifies the route in requests of the panel: `GET /tasks TasksController.list`. */
  readonly key: string;
  readonly verb: string;
  /** Path with prefix and version. */
  readonly path: string;
  /** Handler, such as `TasksController.list`. */
  readonly handler: string;
  readonly columns: readonly PanelQueryColumn[];
  readonly sortable: readonly string[];
  /** True if the route supports search with `?q=`. */
  readonly searchable: boolean;
  readonly defaultLimit?: number;
  readonly maxLimit?: number;
  /** `drop`: invalid parts are ignored. `throw`: the response is 400. */
  readonly onInvalid: string;
}

/** The result of parsing a query string. */
export interface PanelQueryAnswer {
  /** Filters, sort, pagination and search. Undefined if the route responds with 400. */
  readonly parsed?: object | undefined;
  /** The parts that are malformed, and the parts that the config does not allow. */
  readonly dropped: readonly { readonly text: string; readonly reason: string }[];
}

/** A mounted GraphQL endpoint. */
export interface PanelGraphqlMount {
  /** Path with the global prefix. */
  readonly path: string;
  readonly name: string;
  /** Undefined if the mount does not define it. */
  readonly runtime?: string;
  readonly queries: number;
  readonly mutations: number;
  readonly errors: number;
  readonly subscriptions?: { readonly active: number; readonly started: number };
}

/** A finished call of a tool. */
export interface PanelCall {
  /** Number of the call in this process, starting with 1. */
  readonly id: number;
  /** Start time, ISO 8601. */
  readonly at: string;
  /**
   * Name of the tool or prompt, or URI of the resource. If there is none, this is the JSON-RPC
   * method.
   */
  readonly tool: string;
  readonly kind: 'tool' | 'prompt' | 'resource';
  /** HTTP status of the route. Undefined if the route did not run, or did not finish. */
  readonly status?: number;
  /** `refused`: the route did not run. `input-required`: the client must answer questions first. */
  readonly outcome: 'ok' | 'error' | 'refused' | 'cancelled' | 'input-required';
  readonly ms: number;
  /** Client name and version: `claude-code 2.1.4`. */
  readonly client?: string;
  /** Protocol version: `2026-07-28`. */
  readonly revision?: string;
  readonly tenant?: string;
  readonly tenantSource?: string;
  /**
   * Id of the principal that `auth.validate` returned. Without a principal, a short name of the
   * user of the route's request.
   */
  readonly user?: string;
  readonly error?: { readonly text: string; readonly cure?: string };
  /** Arguments without secrets. */
  readonly arguments?: unknown;
  readonly resultBytes?: number;
  /** Undefined if telemetry is off. */
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
