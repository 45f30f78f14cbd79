import { BlockList, isIP } from 'node:net';
import { TenantOptionError } from '../tenant.errors.js';
import type { TenantRequest, TenantTrustOptions } from '../tenant.options.js';
import { readPeerAddress } from './request-parts.js';

/** @throws TenantOptionError */
export function compileTrust(
  trust: Required<TenantTrustOptions>['header'],
): (req: TenantRequest) => boolean {
  if (typeof trust === 'boolean') return () => trust;
  // Compared with `true`, because an async function returns a promise, and promises are truthy.
  if (typeof trust === 'function') return (req) => trust(req) === true;

  const peers = new BlockList();
  for (const block of trust) addBlock(peers, block);
  return (req) => {
    const address = readPeerAddress(req);
    const family = address === undefined ? 0 : isIP(address);
    // `BlockList` also matches `::ffff:10.0.0.1` with IPv4 blocks. `BlockList` ignores the zone in
    // `fe80::1%eth0`.
    return family !== 0 && peers.check(address as string, family === 6 ? 'ipv6' : 'ipv4');
  };
}

function addBlock(peers: BlockList, block: string): void {
  const [, address, length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(block) ?? [];
  const family = isIP(address ?? '');
  const most = family === 6 ? 128 : 32;
  if (
    address === undefined ||
    family === 0 ||
    address.includes('%') ||
    Number(length ?? 0) > most
  ) {
    throw unusable(block);
  }
  const prefix = length === undefined ? most : Number(length);
  peers.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
}

function unusable(block: string): TenantOptionError {
  return new TenantOptionError(
    `\`trust.header\` of TenantModule has "${block}", which is neither an IP address nor a CIDR block. Pass ` +
      `true, false, a function or a list such as ["10.0.0.0/8", "::1"].`,
  );
}
