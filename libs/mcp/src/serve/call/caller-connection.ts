import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

type AddressName =
  | 'remoteAddress'
  | 'remoteFamily'
  | 'remotePort'
  | 'localAddress'
  | 'localPort'
  | 'localFamily';

/** The properties of the caller's connection that a call's socket exposes. */
export type Connection = Pick<Socket, 'address'> & {
  readonly [Name in AddressName]?: Socket[Name] | undefined;
};

/** Keeps the addresses, because a handler may read them after the call has ended. */
export class ClosedConnection {
  readonly remoteAddress;
  readonly remoteFamily;
  readonly remotePort;
  readonly localAddress;
  readonly localPort;
  readonly localFamily;
  readonly encrypted;
  readonly authorized;

  constructor(connection: Connection) {
    const { encrypted, authorized } = connection as Partial<TLSSocket>;
    this.remoteAddress = connection.remoteAddress;
    this.remoteFamily = connection.remoteFamily;
    this.remotePort = connection.remotePort;
    this.localAddress = connection.localAddress;
    this.localPort = connection.localPort;
    this.localFamily = connection.localFamily;
    this.encrypted = encrypted;
    this.authorized = authorized;
  }

  address(): ReturnType<Socket['address']> {
    return {};
  }
}
