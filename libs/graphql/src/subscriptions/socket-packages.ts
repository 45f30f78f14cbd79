import { loadPeer } from '../load-peer.js';

const USER = 'A GraphQL WebSocket endpoint';
const INSTALL = 'ws graphql-ws';

/**
 * Loads the optional packages ws and graphql-ws at boot.
 * @throws MissingPeerError
 */
export async function loadSocketPackages(): Promise<{
  ws: typeof import('ws');
  graphqlWs: typeof import('graphql-ws');
}> {
  const [ws, graphqlWs] = await Promise.all([
    loadPeer('ws', USER, () => import('ws'), INSTALL),
    loadPeer('graphql-ws', USER, () => import('graphql-ws'), INSTALL),
  ]);
  return { ws, graphqlWs };
}
