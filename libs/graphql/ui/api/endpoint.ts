const { path = '', socket = '' } = document.documentElement.dataset;

/** The path that the application gave the endpoint. Behind a proxy the address may be longer. */
export const endpointPath = path;

/** The address of the endpoint, which is that of the page. */
export const endpointUrl = `${location.origin}${location.pathname}`;

/** The address of the WebSocket server. Undefined: subscriptions are event streams. */
export const socketUrl = socket === '' ? undefined : webSocketUrl(new URL(socket, endpointUrl));

function webSocketUrl(url: URL): string {
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}
