import { protectPage } from '@fledge/core/packages';
import { Logger } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PanelAccess } from '../access/panel-access.js';
import type { CallStreams } from '../calls/call-stream.js';
import { ACTION_URLS, CALL_STREAM_URL, PANEL_URLS, STATE_URL } from '../panel.api.js';
import { PANEL_PATH } from '../panel.defaults.js';
import { PanelRefusal } from '../panel.errors.js';
import type { PanelViews } from '../views/panel-views.js';
import { sendJson, sendRefusal } from './answer.js';
import type { Assets } from './assets.js';
import type { PanelActions } from './panel-actions.js';
import { bodyOf } from './request-body.js';

/** The objects to which the handler passes requests. */
export interface PanelParts {
  readonly access: PanelAccess;
  readonly assets: Assets;
  readonly views: PanelViews;
  readonly actions: PanelActions;
  readonly streams: CallStreams;
}

type View = (views: PanelViews) => unknown;
type Action = (
  actions: PanelActions,
  body: Record<string, unknown>,
  request: IncomingMessage,
) => unknown;

const VIEWS: ReadonlyMap<string, View> = new Map<string, View>([
  [PANEL_URLS.app, (views) => views.app()],
  [PANEL_URLS.tools, (views) => views.tools()],
  [PANEL_URLS.calls, (views) => views.calls()],
  [PANEL_URLS.lint, (views) => views.lint()],
  [PANEL_URLS.resources, (views) => views.resources()],
  [PANEL_URLS.sessions, (views) => views.sessions()],
  [PANEL_URLS.tenants, (views) => views.tenants()],
  [PANEL_URLS.queries, (views) => views.queries()],
  [PANEL_URLS.graphql, (views) => views.graphql()],
  [PANEL_URLS.snapshots, (views) => views.snapshots()],
  [PANEL_URLS.callers, (views) => views.callers()],
  [STATE_URL, (views) => views.state()],
]);

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  [ACTION_URLS.endSession, (actions, body) => actions.endSession(body)],
  [ACTION_URLS.askTenant, (actions, body, request) => actions.askTenant(body, request)],
  [ACTION_URLS.parseQuery, (actions, body) => actions.parseQuery(body)],
  [ACTION_URLS.checkCaller, (actions, body, request) => actions.checkCaller(body, request)],
  [ACTION_URLS.readResult, (actions, body) => actions.readResult(body)],
]);

/** Handles every request below the panel's path. */
export class PanelHandler {
  private readonly logger = new Logger('PanelModule');

  constructor(private readonly parts: PanelParts) {}

  handle(request: IncomingMessage, response: ServerResponse): void {
    protectPage(response);
    this.answer(request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) response.destroy();
      else sendRefusal(request, response, this.refusalOf(error));
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { access, assets, streams } = this.parts;
    const path = pathBelow(request);
    await access.require(request, path === undefined || path === '');
    if (path === undefined) return redirect(response);
    const action = ACTIONS.get(path);
    if (action) return this.act(action, request, response);
    const view = VIEWS.get(path);
    if (!view && !assets.has(path) && path !== CALL_STREAM_URL) throw notFound();
    requireMethod(request, ['GET', 'HEAD']);
    if (view) return sendJson(response, 200, await view(this.parts.views));
    if (assets.has(path)) return assets.send(path, request, response);
    if (request.method === 'HEAD') return void response.end();
    streams.start(request, response, () => access.allows(request));
  }

  private async act(
    action: Action,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    requireMethod(request, ['POST']);
    const body = await bodyOf(request);
    sendJson(response, 200, await action(this.parts.actions, body, request));
  }

  private refusalOf(error: unknown): PanelRefusal {
    if (error instanceof PanelRefusal) return error;
    this.logger.error('A view of the panel failed', error instanceof Error ? error.stack : error);
    return new PanelRefusal(
      500,
      'PANEL_FAILED',
      'This view failed. Read the error in the log of the application.',
    );
  }
}

/**
 * Returns the path of a request below the panel. Returns '' for the page itself. Returns undefined
 * if the slash after `_fledge` is missing.
 */
function pathBelow(
  request: IncomingMessage & { readonly originalUrl?: string },
): string | undefined {
  // On Fastify, `url` does not contain the path of the mount.
  const path = (request.originalUrl ?? request.url ?? '').replace(/[?#].*$/s, '');
  const below = path.slice(path.indexOf(PANEL_PATH) + PANEL_PATH.length);
  return below === '' ? undefined : below.slice(1);
}

/** A relative redirect also works behind a proxy that strips a prefix. */
function redirect(response: ServerResponse): void {
  response.statusCode = 308;
  response.setHeader('location', `.${PANEL_PATH}/`);
  response.end();
}

function requireMethod({ method = '' }: IncomingMessage, allowed: readonly string[]): void {
  if (allowed.includes(method)) return;
  const allow = allowed.join(', ');
  const message = `This address supports only ${allow} requests.`;
  throw new PanelRefusal(405, 'PANEL_METHOD', message, allow);
}

function notFound(): PanelRefusal {
  return new PanelRefusal(404, 'PANEL_NOT_FOUND', 'The panel has no page or view at this address.');
}
