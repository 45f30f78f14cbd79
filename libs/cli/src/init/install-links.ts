import { plainName } from '../server-name.js';
import type { ClientId } from './client-ids.js';
import { clientOf, type HttpServer } from './clients.js';

/**
 * Returns Markdown for a README: badges for Cursor and VS Code, and commands for other clients.
 * They install the servers. The Markdown contains no token, but only the name of a variable or of
 * an input.
 */
export function installLinks(servers: readonly HttpServer[]): string {
  return servers.map(linksOf).join('\n');
}

function linksOf(server: HttpServer): string {
  const { name } = server;
  const links = [cursorDeepLink(server), vscodeDeepLink(server), gooseDeepLink(server)];
  const label = name.replace(/[[\]\\]/g, '\\$&');
  return `[![Add ${label} to Cursor](https://cursor.com/deeplink/mcp-install-dark.svg)](${cursorLink(server)})
[![Add ${label} to VS Code](https://img.shields.io/badge/VS_Code-Install_server-0098FF)](${vscodeLink(server)})

\`\`\`sh
${commands(server).join('\n')}
\`\`\`

Links for the address bar of a browser. GitHub shows them as plain text:

\`\`\`text
${links.join('\n')}
\`\`\`
`;
}

function commands(server: HttpServer): string[] {
  const { name, url, bearer } = server;
  const header = (['claude-code', 'gemini'] as const).map((id) => {
    const { headers } = entry(id, server) as { headers?: Record<string, string> };
    return headers ? ` --header ${quoted(`Authorization: ${headers['Authorization']}`)}` : '';
  });
  const variable = bearer === undefined ? '' : ` --bearer-token-env-var ${bearer}`;
  const vscode = quoted(JSON.stringify({ name, ...entry('vscode', server) }));
  return [
    `claude mcp add --transport http ${quoted(plainName(name))} ${quoted(url)}${header[0]}`,
    `codex mcp add ${quoted(plainName(name))} --url ${quoted(url)}${variable}`,
    `gemini mcp add --transport http${header[1]} ${quoted(name)} ${quoted(url)}`,
    ...(bearer === undefined ? [`code --add-mcp ${vscode}`] : []),
  ];
}

function cursorLink(server: HttpServer): string {
  return `https://cursor.com/en/install-mcp?${cursorQuery(server)}`;
}

function cursorDeepLink(server: HttpServer): string {
  return `cursor://anysphere.cursor-deeplink/mcp/install?${cursorQuery(server)}`;
}

function cursorQuery(server: HttpServer): string {
  const config = Buffer.from(JSON.stringify(entry('cursor', server))).toString('base64');
  return query({ name: server.name, config });
}

function vscodeLink(server: HttpServer): string {
  const config = JSON.stringify(entry('vscode', server));
  const inputs = JSON.stringify(inputsOf(server));
  const more = server.bearer === undefined ? {} : { inputs };
  return `https://vscode.dev/redirect/mcp/install?${query({ name: server.name, config, ...more })}`;
}

function vscodeDeepLink(server: HttpServer): string {
  const inputs = inputsOf(server);
  const config = {
    name: server.name,
    ...entry('vscode', server),
    ...(inputs.length > 0 && { inputs }),
  };
  return `vscode:mcp/install?${encoded(JSON.stringify(config))}`;
}

/** Goose asks the user for the value of the variable, so the link does not contain the value. */
function gooseDeepLink({ name, url }: HttpServer): string {
  return `goose://extension?${query({ type: 'streamable_http', url, id: name, name, description: name })}`;
}

function inputsOf(server: HttpServer): object[] {
  return [clientOf('vscode').inputOf?.(server) ?? []].flat();
}

function entry(id: ClientId, server: HttpServer): Readonly<Record<string, unknown>> {
  return clientOf(id).entryOf(server);
}

function query(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encoded(value)}`)
    .join('&');
}

/** Escapes parentheses, because they would end a Markdown link. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Quotes a word for a POSIX shell if it needs quotes. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
