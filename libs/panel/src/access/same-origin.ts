import { isOwnOrigin } from '@fledge/core/packages';
import { PanelRefusal } from '../panel.errors.js';
import { type CheckedRequest, hostOf } from './local-request.js';

/**
 * Rejects requests from pages of another origin. Otherwise, if the application allows other origins
 * with CORS, their pages could read the panel. Requests without browser headers are accepted.
 * @param isPage true for the page itself, because other sites may link to it
 * @throws PanelRefusal
 */
export function requireSameOrigin(request: CheckedRequest, isPage: boolean): void {
  const { headers } = request;
  const site = headers['sec-fetch-site'];
  if (isPage && headers['sec-fetch-mode'] === 'navigate' && isRead(request)) return;
  // The browser sets this header. It is correct even if a proxy changes the host (W3C Fetch
  // Metadata §2.3).
  if (site !== undefined) {
    if (site === 'same-origin' || (site === 'none' && isRead(request))) return;
    throw foreign(String(site));
  }
  const { origin } = headers;
  if (origin === undefined || isOwnOrigin(String(origin), hostOf(headers))) return;
  throw foreign(String(origin));
}

function isRead({ method }: CheckedRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function foreign(from: string): PanelRefusal {
  return new PanelRefusal(
    403,
    'PANEL_FOREIGN_ORIGIN',
    `A page from another origin sent this request (${from.slice(0, 200)}). Open the panel directly.`,
  );
}
