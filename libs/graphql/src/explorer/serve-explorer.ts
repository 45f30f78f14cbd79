import {
  acceptedRanges,
  type PageFile,
  protectPage,
  readPageFile,
  sendPageFile,
} from '@fledge/core/packages';
import { type HttpServer, Logger } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXPLORER_FOLDER } from '../graphql.defaults.js';

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
    res.setHeader('location', `../${posix.basename(asked)}${url.slice(asked.length)}`);
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

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 18 18'%3E%3Cpath d='M9 2l6 3.5v7L9 16l-6-3.5v-7zM3 12.5h12L9 2z' fill='none' stroke='%230a626f' stroke-width='1.5' stroke-linejoin='round'/%3E%3C/svg%3E";

/**
 * Returns the HTML page of an endpoint. Scripts and styles are separate files, and all addresses
 * are relative. So the page works with a strict CSP, and behind a proxy that removes a prefix.
 * @param path the path of the endpoint: plain segments
 * @param socketPath the path of the endpoint's WebSocket server. If undefined, subscriptions use
 * event streams
 */
export function explorerPage(path: string, socketPath: string | undefined): string {
  const name = posix.basename(path);
  const files = name === '' ? '.' : `./${escaped(name)}`;
  const socket = socketPath && `./${posix.relative(posix.dirname(path), socketPath)}`;
  return `<!doctype html>
<html lang="en" data-path="${escaped(path)}" data-socket="${escaped(socket ?? '')}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>GraphQL ${escaped(path)}</title>
    <link rel="icon" href="${ICON}" />
    <link rel="stylesheet" href="${files}/explorer.css" />
    <script type="module" src="${files}/explorer.js"></script>
  </head>
  <body></body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes the path, because paths of `GraphQLModule` may contain any characters. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** The files that are served below the path of an endpoint, and the media type of each file. */
const TYPES = {
  'explorer.js': 'text/javascript; charset=utf-8',
  'explorer.css': 'text/css; charset=utf-8',
};

type Files = ReadonlyMap<string, PageFile>;

/**
 * Returns a function that reads the files of the explorer on first use. The function returns a map
 * of the files by name. If the files are missing, the map is empty, and a message is logged once.
 * @param folder the folder of the built files, two levels below the package.json of this package
 */
export function explorerFiles(folder: URL): () => Files {
  let files: Files | undefined;
  return () => (files ??= readFiles(folder));
}

function readFiles(folder: URL): Files {
  try {
    refuseOtherPackage(folder);
    return new Map(
      Object.entries(TYPES).map(([name, type]) => [
        name,
        readPageFile(new URL(name, folder), type),
      ]),
    );
  } catch {
    new Logger('GraphqlExplorer').warn(
      `The explorer of @fledge/graphql is missing in ${fileURLToPath(folder)}. If you bundle your ` +
        `application, mark @fledge/graphql as external. Otherwise, install the package again.`,
    );
    return new Map();
  }
}

/**
 * In a bundle, this throws, because the code runs from another folder. That folder may contain
 * files of the application.
 */
function refuseOtherPackage(folder: URL): void {
  const manifest = readFileSync(new URL('../../package.json', folder), 'utf8');
  const { name } = JSON.parse(manifest) as { readonly name?: unknown };
  if (name !== '@fledge/graphql') throw new Error('The files belong to another package.');
}
