import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Caller } from '../../serve/call/caller.js';

/**
 * Copies the caller of a task. A task continues after its connection is closed, and a closed socket
 * has no addresses. Other data stays the same, such as headers and the properties that middleware
 * set.
 */
export function lastingCaller(caller: Caller): Caller {
  const { origin } = caller;
  const lasting = Object.create(origin, {
    socket: { value: copyOf(origin.socket) },
  }) as typeof origin;
  return { ...caller, origin: lasting };
}

/** Copies the properties of a connection that routes read. */
function copyOf(socket: Socket): Socket {
  const { remoteAddress, remoteFamily, remotePort, localAddress, localPort, localFamily } = socket;
  // The sockets of serverless adapters may lack this method.
  const address = (socket as Partial<Socket>).address?.() ?? {};
  const plain = {
    remoteAddress,
    remoteFamily,
    remotePort,
    localAddress,
    localPort,
    localFamily,
    address: () => address,
  };
  const copy = isEncrypted(socket) ? { ...plain, ...tlsOf(socket) } : plain;
  return copy as unknown as Socket;
}

function isEncrypted(socket: Socket): socket is TLSSocket {
  const { encrypted, getPeerCertificate } = socket as Partial<TLSSocket>;
  return encrypted === true && getPeerCertificate !== undefined;
}

function tlsOf(socket: TLSSocket): object {
  const { encrypted, authorized, authorizationError, servername, alpnProtocol } =
    socket as TLSSocket & { readonly servername?: string };
  const [short, detailed] = [socket.getPeerCertificate(false), socket.getPeerCertificate(true)];
  const [protocol, cipher] = [socket.getProtocol(), socket.getCipher()];
  const x509 = socket.getPeerX509Certificate();
  return {
    encrypted,
    authorized,
    authorizationError,
    servername,
    alpnProtocol,
    getPeerCertificate: (isDetailed?: boolean) => (isDetailed === true ? detailed : short),
    getPeerX509Certificate: () => x509,
    getProtocol: () => protocol,
    getCipher: () => cipher,
  };
}
