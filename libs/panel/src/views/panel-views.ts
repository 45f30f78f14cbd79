import type { IntrospectionRegistry } from '@fledge/core';
import type { PanelSourceOf, PanelSources } from '@fledge/core/packages';
import type { CallRing } from '../calls/call-ring.js';
import type { SessionCallers } from '../calls/session-callers.js';
import type {
  AppView,
  CallersView,
  CallsView,
  GraphqlView,
  LintView,
  MeasuredTool,
  PanelState,
  QueriesView,
  ResourcesView,
  SessionsView,
  SnapshotsView,
  TenantsView,
  ToolsView,
  View,
} from '../panel.api.js';
import { callSpans } from '../telemetry/call-spans.js';
import { lintOf } from './lint.js';
import { measuredTool } from './measured-tool.js';
import { relativeUrl } from './relative-url.js';
import { sendableSnapshots } from './sendable-snapshots.js';

/** Facts about the application that do not change. */
type AppFacts = Omit<AppView, 'name' | 'version' | 'counts'>;

/** The data from which the views are computed. */
export interface ViewsSetup {
  readonly sources: PanelSources;
  readonly introspection: IntrospectionRegistry;
  readonly ring: CallRing;
  readonly sessions: SessionCallers;
  readonly facts: AppFacts;
  /** The option `name` of `PanelModule.forRoot()`. */
  readonly name: string | undefined;
  /** Path of the panel in the application, including the global prefix. */
  readonly mount: string;
  readonly callers: CallersView['callers'];
  /** Returns the paths of the routes that the button "Check" may call. */
  readonly checkedRoutes: () => readonly string[];
}

const CURES: Readonly<Record<keyof PanelSourceOf, string>> = {
  mcp: 'Install @fledge/mcp and import McpModule.forRoot() to publish routes as tools for agents.',
  tenant: 'Install @fledge/tenant and import TenantModule.forRoot() to serve several tenants.',
  query: 'Install @fledge/query and add @Qs() to a list route to filter, sort and page.',
  graphql: 'Install @fledge/graphql and import GraphqlMountModule.forRoot() to serve GraphQL.',
};

const TRACES =
  'Add `new PanelSpanProcessor()` from @fledge/panel/telemetry to the `spanProcessors` of your OpenTelemetry SDK.';

/** The views of the panel as JSON. Each view is computed when it is requested. */
export class PanelViews {
  private measured: { readonly of: unknown; readonly tools: readonly MeasuredTool[] } | undefined;

  constructor(private readonly setup: ViewsSetup) {}

  async app(): Promise<AppView> {
    const { facts, name, sources, ring } = this.setup;
    const catalogue = sources.get('mcp')?.catalogue();
    const { adapters, errors } = await this.snapshots();
    return {
      name: name ?? catalogue?.server.name ?? 'application',
      ...(catalogue && { version: catalogue.server.version }),
      ...facts,
      counts: {
        ...(catalogue && this.agentCounts(catalogue)),
        ...counted('tenants', sources.get('tenant')?.tenants().known),
        ...counted('queries', sources.get('query')?.routes()),
        ...counted('graphql', sources.get('graphql')?.mounts()),
        ...(catalogue && { calls: ring.calls.length }),
        snapshots: adapters.length,
        snapshotErrors: errors.length,
      },
    };
  }

  tools(): View<ToolsView> {
    return this.from('mcp', (mcp) => ({
      ...this.endpoint(),
      tools: this.measure(mcp.catalogue().tools),
    }));
  }

  calls(): View<CallsView> {
    const { ring } = this.setup;
    return this.from('mcp', () => ({
      capacity: ring.capacity,
      calls: ring.calls,
      total: ring.total,
      traces: callSpans.isFed,
      ...(!callSpans.isFed && { traceCure: TRACES }),
    }));
  }

  lint(): View<LintView> {
    return this.from('mcp', (mcp) => {
      const { tools, findings } = mcp.catalogue();
      return lintOf(this.measure(tools), findings);
    });
  }

  resources(): View<ResourcesView> {
    return this.from('mcp', (mcp) => {
      const { resources, templates, prompts } = mcp.catalogue();
      return {
        ...this.endpoint(),
        resources: resources.map(this.withEndpoint),
        templates: templates.map(this.withEndpoint),
        prompts: prompts.map(this.withEndpoint),
      };
    });
  }

  sessions(): View<SessionsView> {
    return this.from('mcp', (mcp) => this.setup.sessions.addedTo(mcp.sessions()));
  }

  tenants(): View<TenantsView> {
    return this.from('tenant', (tenant) => tenant.tenants());
  }

  queries(): View<QueriesView> {
    return this.from('query', (query) => ({ routes: query.routes().map(this.withUrl) }));
  }

  graphql(): View<GraphqlView> {
    return this.from('graphql', (graphql) => ({ mounts: graphql.mounts().map(this.withUrl) }));
  }

  async snapshots(): Promise<SnapshotsView> {
    return sendableSnapshots(await this.setup.introspection.collect());
  }

  callers(): CallersView {
    const { callers, checkedRoutes } = this.setup;
    return { callers, routes: checkedRoutes() };
  }

  async state(): Promise<PanelState> {
    return {
      app: await this.app(),
      tools: this.tools(),
      calls: this.calls(),
      lint: this.lint(),
      resources: this.resources(),
      sessions: this.sessions(),
      tenants: this.tenants(),
      queries: this.queries(),
      graphql: this.graphql(),
      snapshots: await this.snapshots(),
    };
  }

  private agentCounts({
    tools,
    resources,
    templates,
    prompts,
    findings,
  }: ReturnType<PanelSourceOf['mcp']['catalogue']>) {
    const { endpoints } = this.setup.sources.get('mcp')!.sessions();
    return {
      tools: tools.length,
      findings: lintOf(this.measure(tools), findings).findings.length,
      resources: resources.length + templates.length + prompts.length,
      sessions: {
        open: endpoints.reduce((sum, { open }) => sum + open.length, 0),
        ...(endpoints.length > 0 && { max: endpoints.reduce((sum, { max }) => sum + max, 0) }),
      },
    };
  }

  private endpoint(): { endpoint?: string } {
    const path = this.setup.sources.get('mcp')?.catalogue().endpointPath;
    return path === undefined ? {} : { endpoint: relativeUrl(this.setup.mount, path) };
  }

  /** The tools are measured only once, because they do not change after startup. */
  private measure(
    tools: ReturnType<PanelSourceOf['mcp']['catalogue']>['tools'],
  ): readonly MeasuredTool[] {
    if (this.measured?.of !== tools) {
      this.measured = {
        of: tools,
        tools: tools.map((tool) => this.withEndpoint(this.withUrl(measuredTool(tool)))),
      };
    }
    return this.measured.tools;
  }

  private readonly withEndpoint = <T extends { readonly endpoint?: string }>(item: T): T =>
    item.endpoint === undefined
      ? item
      : { ...item, endpoint: relativeUrl(this.setup.mount, item.endpoint) };

  private readonly withUrl = <T extends { readonly path: string }>(place: T) => ({
    ...place,
    url: relativeUrl(this.setup.mount, place.path),
  });

  private from<K extends keyof PanelSourceOf, Data extends object>(
    kind: K,
    read: (source: PanelSourceOf[K]) => Data,
  ): View<Data> {
    const source = this.setup.sources.get(kind);
    if (source === undefined) return { installed: false, cure: CURES[kind] };
    return { installed: true, ...read(source) };
  }
}

function counted<Name extends string>(name: Name, list: readonly unknown[] | undefined) {
  return (list === undefined ? {} : { [name]: list.length }) as { [K in Name]?: number };
}
