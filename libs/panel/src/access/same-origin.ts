import { isOwnOrigin } from '@fledge/core/packages';
import { PanelRefusal } from '../panel.errors.js';
import type { CheckedRequest } from './local-request.js';

/**
 * Refuses requests that a page of another origin sends. Without it, an application that allows other origins
 * by CORS would let their pages read the panel. Requests without the headers of browsers pass.
 * @param isPage true for the page itself, which links of other sites may open
 * @throws PanelRefusal
 */
export function requireSameOrigin(request: CheckedRequest, isPage: boolean): void {
  const { headers } = request;
  const site = headers['sec-fetch-site'];
  if (isPage && headers['sec-fetch-mode'] === 'navigate' && isRead(request)) return;
  // Set by the browser, and right behind a proxy that changes the host (W3C Fetch Metadata §2.3).
  if (site !== undefined) {
    if (site === 'same-origin' || (site === 'none' && isRead(request))) return;
    throw foreign(String(site));
  }
  const { origin, host } = headers;
  if (origin === undefined || isOwnOrigin(String(origin), String(host))) return;
  throw foreign(String(origin));
}

function isRead({ method }: CheckedRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function foreign(from: string): PanelRefusal {
  return new PanelRefusal(
    403,
    'PANEL_FOREIGN_ORIGIN',
    `A page of another origin sent this request (${from.slice(0, 200)}). Open the panel itself.`,
  );
}
