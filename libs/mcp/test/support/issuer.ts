import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export interface TokenParts {
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
  /** Signs with this key in place of the one that the issuer publishes. */
  readonly key?: CryptoKey | Uint8Array;
}

/** An issuer of tokens: metadata and keys over HTTP, which count requests and can be down. */
export class Issuer {
  /** Paths that were requested, in order. */
  readonly requests: string[] = [];
  /** Answers in place of the documents, such as to be down. */
  instead: ((response: ServerResponse) => void) | undefined;
  /** The path at which the metadata is; elsewhere it is not found. */
  metadataPath = '/.well-known/oauth-authorization-server';
  metadata: Record<string, unknown>;
  published: JWK[] = [];
  private keys!: { publicKey: CryptoKey; privateKey: CryptoKey };
  private kid = '';

  static async start(path = ''): Promise<Issuer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new Issuer(server, path);
    await issuer.rotate('first');
    return issuer;
  }

  private constructor(
    private readonly server: Server,
    path: string,
  ) {
    this.metadata = {
      issuer: `${this.origin}${path}`,
      jwks_uri: `${this.origin}/keys`,
      code_challenge_methods_supported: ['S256'],
      registration_endpoint: `${this.origin}/register`,
    };
    server.on('request', ({ url = '' }, response: ServerResponse) => {
      this.requests.push(url);
      if (this.instead) return this.instead(response);
      if (url === this.metadataPath) return answer(response, this.metadata);
      if (url === '/keys') return answer(response, { keys: this.published });
      response.writeHead(404).end();
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return String(this.metadata['issuer']);
  }

  /** Counts requests for the keys. */
  get keyRequests(): number {
    return this.requests.filter((url) => url === '/keys').length;
  }

  /** Replaces the key. Tokens with the old one are no longer valid. */
  async rotate(kid: string, alg = 'ES256'): Promise<void> {
    this.keys = await generateKeyPair(alg, { extractable: true });
    this.kid = kid;
    this.published = [{ ...(await exportJWK(this.keys.publicKey)), kid, alg, use: 'sig' }];
  }

  /** A token that is valid, as far as nothing else is given. */
  token(audience: string, { claims = {}, header = {}, key }: TokenParts = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const payload = { iss: this.url, aud: audience, sub: 'ada', iat: now, exp: now + 300 };
    const alg = this.published[0]?.alg ?? 'ES256';
    return new SignJWT({ ...payload, ...claims })
      .setProtectedHeader({ alg, kid: this.kid, typ: 'at+jwt', ...header })
      .sign(key ?? this.keys.privateKey);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

function answer(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
