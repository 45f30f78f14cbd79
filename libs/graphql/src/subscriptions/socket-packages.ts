import { loadPeer } from '../runtime/load-peer.js';

const USER = 'A GraphQL socket';

/**
 * The optional packages that speak WebSocket and the protocol on it, loaded at boot.
 * @throws MissingPeerError
 */
export async function loadSocketPackages(): Promise<{
  ws: typeof import('ws');
  graphqlWs: typeof import('graphql-ws');
}> {
  const [ws, graphqlWs] = await Promise.all([
    loadPeer('ws', USER, () => import('ws')),
    loadPeer('graphql-ws', USER, () => import('graphql-ws')),
  ]);
  return { ws, graphqlWs };
}
