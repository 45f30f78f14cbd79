/** The fields of an authorization server's metadata (RFC 8414) that this package uses. */
export interface IssuerMetadata {
  readonly jwksUri: string;
  /** Sentences. Each says why MCP clients cannot log in with this provider. */
  readonly obstacles: readonly string[];
}

export const FETCH_TIMEOUT_MS = 5_000;

/**
 * Uses the first document found at the well-known URLs.
 * @throws Error if no URL has valid metadata. The message contains the problem of each URL
 */
export async function issuerMetadataOf(issuer: string): Promise<IssuerMetadata> {
  const faults: string[] = [];
  for (const url of wellKnownUrlsOf(issuer)) {
    try {
      return checkedMetadata(await jsonAt(url), issuer);
    } catch (error) {
      faults.push(`${url}: ${reasonOf(error)}`);
    }
  }
  throw new Error(`The metadata of ${issuer} cannot be read. ${faults.join('; ')}`);
}

async function jsonAt(url: string): Promise<Readonly<Record<string, unknown>>> {
  const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  const headers = { accept: 'application/json' };
  const response = await fetch(url, { redirect: 'manual', signal, headers });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the response has status ${response.status}`);
  }
  const body: unknown = await response.json();
  if (typeof body === 'object' && body !== null) return body as Readonly<Record<string, unknown>>;
  throw new Error('the response is not a JSON object');
}

/** The issuer in the document must be the requested issuer (RFC 8414 §3.3). */
function checkedMetadata(
  document: Readonly<Record<string, unknown>>,
  issuer: string,
): IssuerMetadata {
  const { issuer: named, jwks_uri: jwksUri } = document;
  if (named !== issuer) {
    throw new Error(
      `the metadata has the issuer ${JSON.stringify(named)}. If this issuer is your provider, ` +
        'set auth.issuer to exactly this value',
    );
  }
  if (typeof jwksUri !== 'string' || !URL.canParse(jwksUri)) {
    throw new Error('the metadata has no valid jwks_uri');
  }
  // Without TLS, an attacker on the network could add a key.
  if (issuer.startsWith('https:') && !jwksUri.startsWith('https:')) {
    throw new Error(`the jwks_uri ${jwksUri} in the metadata must be an https URL`);
  }
  return { jwksUri, obstacles: obstaclesIn(document) };
}

/** MCP 2026-07-28 (Authorization) requires these features. Clients do not log in without them. */
function obstaclesIn(document: Readonly<Record<string, unknown>>): readonly string[] {
  const obstacles: string[] = [];
  const methods = document['code_challenge_methods_supported'];
  if (!Array.isArray(methods) || !methods.includes('S256')) {
    obstacles.push(
      'code_challenge_methods_supported in the metadata does not contain S256 (PKCE), ' +
        'so MCP clients do not log in.',
    );
  }
  if (
    document['registration_endpoint'] === undefined &&
    document['client_id_metadata_document_supported'] !== true
  ) {
    obstacles.push(
      'The provider supports neither Client ID Metadata Documents nor dynamic registration, so ' +
        'each MCP client needs a client id in its configuration.',
    );
  }
  return obstacles;
}

/** Prefers the cause, because the message may be only `fetch failed`. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as { readonly message?: string; readonly cause?: unknown };
  const inner = (cause as { readonly message?: string; readonly code?: string } | undefined) ?? {};
  return inner.message || inner.code || message || String(error);
}

/** In the order of MCP 2026-07-28 (Authorization): one URL of RFC 8414, two of OpenID Connect. */
export function wellKnownUrlsOf(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, '');
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(urls)];
}
