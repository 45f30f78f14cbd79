const { path = '', socket = '' } = document.documentElement.dataset;

/**
 * The path of the endpoint in the application. Behind a proxy, the address of the page may have a
 * longer path.
 */
export const endpointPath = path;

/** The address of the endpoint. The page is served at the same address. */
export const endpointUrl = `${location.origin}${location.pathname}`;

/** The address of the WebSocket server. If undefined, subscriptions use event streams. */
export const socketUrl = socket === '' ? undefined : webSocketUrl(new URL(socket, endpointUrl));

function webSocketUrl(url: URL): string {
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}
