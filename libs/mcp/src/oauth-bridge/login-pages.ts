import { LOOPBACK_HOSTS } from '@fledge/core/packages';

/** The data of a consent page. */
export interface ConsentRequest {
  /** Id of the interaction. The form on the page sends this id back. */
  readonly uid: string;
  /** Name that the application chose for itself. */
  readonly clientName: string;
  /** The host to show. Set only if the id of the application is the URL of its metadata. */
  readonly clientId: string;
  /** URL that receives the result. */
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly userName: string;
  readonly upstreamName: string;
  /** Mount path of the bridge. */
  readonly path: string;
}

/** Returns the page that asks whether an application may act for the user. */
export function consentPage(request: ConsentRequest): string {
  const { uid, clientName, clientId, redirectUri, scopes, userName, upstreamName, path } = request;
  const { protocol, hostname } = new URL(redirectUri);
  const isWeb = /^https?:$/.test(protocol);
  const target = isWeb ? hostname : `the application that opens ${protocol} links`;
  const warning = LOOPBACK_HOSTS.has(hostname)
    ? '<p class="warning">The code is sent to a program on this computer, and any program can claim this name. ' +
      'Continue only if you have just started to connect this program.</p>'
    : '';
  const id = clientId.startsWith('https://')
    ? `<dt>Published by</dt><dd>${text(new URL(clientId).host)}</dd>`
    : '';
  const list = scopes.map((scope) => `<li>${text(scope)}</li>`).join('');
  const button = (action: string, label: string) =>
    `<form method="post" action="${text(`${path}/interaction/${action}?uid=${encodeURIComponent(uid)}`)}"><button>${label}</button></form>`;
  return page(
    'Allow access?',
    `<p><strong><bdi>${text(clientName)}</bdi></strong> requests access on your behalf.</p>
<dl><dt>You</dt><dd><bdi>${text(userName)}</bdi> at ${text(upstreamName)}</dd>${id}<dt>The response is sent to</dt><dd id="target">${text(target)}</dd></dl>
${scopes.length > 0 ? `<p>It requests these permissions:</p><ul>${list}</ul>` : ''}
${warning}
${button('approve', 'Allow')}${button('deny', 'Deny')}`,
  );
}

/** Returns an error page without details of the error. */
export function errorPage(title: string, description: string): string {
  return page(title, `<p>${text(description)}</p>`);
}

/** Headers of the pages. They forbid scripts, frames and external resources. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${text(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:10vh auto;padding:0 1rem}
dt{font-weight:600}dd{margin:0 0 .5rem}form{display:inline}button{font:inherit;padding:.5rem 1.5rem;margin-right:.5rem}
.warning{border-left:4px solid #b45309;padding-left:.75rem}</style></head>
<body><main><h1>${text(title)}</h1>
${body}</main></body></html>`;
}

// C0 and C1 controls, line separators, and text direction controls (Unicode UAX #9).
const CONTROLS = /[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Removes characters that change the display of the surrounding words. Returns undefined if no
 * visible character is left.
 */
export function readableName(name: string | undefined): string | undefined {
  const readable = name?.replace(CONTROLS, '').trim() ?? '';
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(readable) ? readable : undefined;
}

/** Escapes a string for the content and the attributes of HTML. */
function text(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
