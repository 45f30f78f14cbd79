import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** An issuer of tokens, which publishes its key, without metadata. */
export interface TokenIssuer {
  readonly url: string;
  /** A token that is valid for an hour, for an application whose audience is the URL of the issuer. */
  readonly token: string;
  close(): void;
}

export async function startIssuer(): Promise<TokenIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256', use: 'sig' };
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys: [key] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const token = await new SignJWT({ scope: 'tasks' })
    .setProtectedHeader({ alg: 'RS256', kid: 'bench', typ: 'at+jwt' })
    .setIssuer(url)
    .setAudience(url)
    .setSubject('bench')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);
  return { url, token, close: () => server.close() };
}
