import {
  type Container,
  defineAdapter,
  IntrospectionRegistry,
  type MountPoint,
} from '@fledge/core';
import { CallObservers, PanelSources, RequestContexts, RouteHandlers } from '@fledge/core/packages';
import { Logger } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import { PanelAccess } from './access/panel-access.js';
import { CallerChecks } from './callers/caller-check.js';
import { checkedRoutes } from './callers/checked-routes.js';
import { CallRing } from './calls/call-ring.js';
import { CallRecorder } from './calls/call-recorder.js';
import { CallStreams } from './calls/call-stream.js';
import { Assets } from './http/assets.js';
import { PanelActions } from './http/panel-actions.js';
import { PanelHandler } from './http/panel-handler.js';
import { PANEL_PATH, type ResolvedPanelOptions } from './panel.defaults.js';
import { querySourceOf } from './views/query-source.js';
import { PanelViews, type ViewsSetup } from './views/panel-views.js';

/** Number of calls that the panel keeps. */
const CAPACITY = 200;

// Bundlers of applications would treat `new URL('...', import.meta.url)` as an import.
const HERE = import.meta.url;

/** Token under which `PanelModule` provides the options. */
export const PANEL_OPTIONS = Symbol('fledge:panel-options');

/** Mounts the panel. */
export const PanelAdapter = defineAdapter({
  name: 'PanelAdapter',
  build: () => {
    const ring = new CallRing(CAPACITY);
    const kept: Kept = { ring, recorder: new CallRecorder(ring), streams: new CallStreams(ring) };
    return {
      beforeMount: ({ app, container }) => {
        const options = container.get<ResolvedPanelOptions>(PANEL_OPTIONS);
        if (options.enabled) mountPanel(app, container, options, kept);
      },
      // This runs before the server closes, because the server waits for open responses.
      shutdown: () => {
        kept.recorder.stop();
        kept.streams.end();
      },
      introspect: () => ({
        protocolVersion: 1,
        name: 'PanelAdapter',
        kind: 'adapter',
        state: { path: PANEL_PATH },
        metrics: { calls: ring.total, kept: ring.calls.length, streams: kept.streams.size },
      }),
    };
  },
});

interface Kept {
  readonly ring: CallRing;
  readonly recorder: CallRecorder;
  readonly streams: CallStreams;
}

function mountPanel(
  app: MountPoint,
  container: Container,
  options: ResolvedPanelOptions,
  { ring, recorder, streams }: Kept,
): void {
  const mount = mountOf(container);
  const sources = container.get(PanelSources);
  const queries = querySourceOf(container);
  if (queries) sources.register('query', () => queries);
  const { name, callers } = options;
  const routes = () => checkedRoutes(container.get(RouteHandlers), sources);
  const own = { ring, sessions: recorder.sessions, mount, name, callers, checkedRoutes: routes };
  const handler = new PanelHandler({
    access: new PanelAccess(options, container),
    assets: new Assets(new URL('../dist/ui/', HERE)),
    views: viewsOf(container, own),
    actions: new PanelActions(sources, new CallerChecks(() => serverOf(container)), routes, ring),
    streams,
  });
  if (options.leavesOutCallers) warnOfCallers();
  recorder.start(container.get(CallObservers));
  container.get(RequestContexts).passOver((path) => isBelow(path, mount));
  const handle = handler.handle.bind(handler);
  app.use(PANEL_PATH, handle);
  // The first releases of NestJS 11 do not match a trailing slash on Fastify.
  app.use(`${PANEL_PATH}/`, handle);
  app.use(`${PANEL_PATH}/*rest`, handle);
}

function viewsOf(
  container: Container,
  own: Omit<ViewsSetup, 'sources' | 'introspection' | 'facts'>,
): PanelViews {
  return new PanelViews({
    ...own,
    sources: container.get(PanelSources),
    introspection: container.get(IntrospectionRegistry),
    facts: {
      platform:
        container.get(HttpAdapterHost).httpAdapter.getType() === 'fastify' ? 'fastify' : 'express',
      node: process.version,
      startedAt: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    },
  });
}

function warnOfCallers(): void {
  new Logger('PanelModule').warn(
    'The panel ignores `callers`, because NODE_ENV is "production" and callers are for test credentials. ' +
      'Set PanelModule.forRoot({ callers }) in development only.',
  );
}

function serverOf(container: Container): Server {
  return container.get(HttpAdapterHost).httpAdapter.getHttpServer() as Server;
}

/** Returns the path of the panel, with the global prefix unless the prefix excludes the panel. */
function mountOf(container: Container): string {
  const config = container.get(ApplicationConfig);
  const { exclude = [] } = config.getGlobalPrefixOptions();
  if (exclude.some(({ pathRegex }) => pathRegex.test(`${PANEL_PATH}/api`))) return PANEL_PATH;
  const prefix = config.getGlobalPrefix().replace(/^\/|\/$/g, '');
  return prefix === '' ? PANEL_PATH : `/${prefix}${PANEL_PATH}`;
}

function isBelow(path: string, mount: string): boolean {
  return path === mount || path.startsWith(`${mount}/`);
}
