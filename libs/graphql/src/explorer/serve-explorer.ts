import { acceptedRanges, protectPage, sendPageFile } from '@fledge/core/packages';
import type { HttpServer } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { EXPLORER_FOLDER } from '../graphql.defaults.js';
import { explorerFiles } from './explorer-files.js';
import { explorerPage } from './explorer-page.js';

/** An endpoint with an explorer. Its paths include the global prefix. */
export interface ExploredEndpoint {
  /**
   * Returns the path of the endpoint. Called for each request. Undefined until the endpoint is
   * open.
   */
  readonly path: () => string | undefined;
  /**
   * Returns the path of the endpoint's WebSocket server. If undefined, subscriptions use event
   * streams.
   */
  readonly socketPath: () => string | undefined;
}

/** The files are read once, because all endpoints share them. */
const files = explorerFiles(EXPLORER_FOLDER);

/**
 * Serves the explorer to browsers at the path of an endpoint. The files of the explorer are below
 * that path. All other requests continue to the endpoint. The explorer runs before Nest's
 * middleware and guards, and before requests without a tenant are rejected. This is safe, because
 * the page contains no data. Operations that people run on the page pass all of these checks.
 */
export function serveExplorer(adapter: HttpServer, endpoint: ExploredEndpoint): void {
  adapter.use?.((req: IncomingMessage, res: ServerResponse, next: () => void) => {
    if (!answers(endpoint, req, res)) next();
  });
}

function answers(endpoint: ExploredEndpoint, req: IncomingMessage, res: ServerResponse): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  const path = endpoint.path();
  const { url = '/' } = req;
  if (path === undefined || !url.startsWith(path)) return false;
  const asked = url.replace(/[?#].*$/s, '');
  const folder = path.endsWith('/') ? path : `${path}/`;
  if (asked === path || asked === folder) return answersPage(endpoint, asked, req, res);
  const file = asked.startsWith(folder) ? files().get(asked.slice(folder.length)) : undefined;
  if (file === undefined) return false;
  protectPage(res, EDITOR);
  sendPageFile(file, req, res);
  return true;
}

function answersPage(
  { path, socketPath }: ExploredEndpoint,
  asked: string,
  req: IncomingMessage,
  res: ServerResponse,
): boolean {
  // GraphQL responses to GET also have this header. So caches store such responses separately from
  // the page.
  res.appendHeader('vary', 'Accept');
  const { headers, method, url = '' } = req;
  if (!prefersHtml(headers.accept) || files().size === 0) return false;
  protectPage(res, EDITOR);
  res.setHeader('cache-control', 'no-store');
  if (asked !== path()) {
    // The addresses in the page are relative to the path without a trailing slash.
    res.statusCode = 308;
    res.setHeader('location', `../${nameOf(asked)}${url.slice(asked.length)}`);
    res.end();
    return true;
  }
  const page = Buffer.from(explorerPage(asked, socketPath()));
  res.statusCode = 200;
  res.setHeader('content-type', 'text/html; charset=utf-8');
  res.setHeader('content-length', page.length);
  res.end(method === 'HEAD' ? undefined : page);
  return true;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/', path.length - 2) + 1, -1);
}

/** The media types that a GraphQL client may request. */
const GRAPHQL_TYPES = [
  'application/graphql-response+json',
  'application/json',
  'text/event-stream',
  'multipart/mixed',
];

/**
 * Returns true if the header `Accept` comes from a browser that opens a page. Such a header
 * contains `text/html`, and no GraphQL type has a higher weight. Wildcards do not count, so clients
 * that accept anything receive GraphQL.
 */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const weights = new Map(acceptedRanges(accept));
  const html = weights.get('text/html') ?? 0;
  return html > 0 && GRAPHQL_TYPES.every((type) => html > (weights.get(type) ?? 0));
}

/** If people replace a selection in an editor, Chromium sets style attributes on the text. */
const EDITOR = ["style-src-attr 'unsafe-inline'"];
