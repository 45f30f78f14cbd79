import { posix } from 'node:path';

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
  const socket = socketPath === undefined ? '' : relativeTo(path, socketPath);
  return `<!doctype html>
<html lang="en" data-path="${escaped(path)}" data-socket="${escaped(socket)}">
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

function relativeTo(path: string, target: string): string {
  return `./${posix.relative(posix.dirname(path), target)}`;
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
