import { Logger } from '@nestjs/common';
import type { FlattenedJWSInput, JWSHeaderParameters } from 'jose';
import type { ResolvedOidc } from '../../options/auth-checks.js';
import { FETCH_TIMEOUT_MS, issuerMetadataOf, reasonOf } from './issuer-metadata.js';

type Jose = typeof import('jose');
type RemoteKeys = ReturnType<Jose['createRemoteJWKSet']>;
type Key = Awaited<ReturnType<RemoteKeys>>;

export class KeysUnavailable extends Error {}

/** Pause after a failed request. Otherwise every token could cause a request. */
const PAUSE_MS = 2_000;

/** Tokens with unknown key ids cause at most one request for keys in this many milliseconds. */
const COOLDOWN_MS = 30_000;

/** Errors of jose that are caused by the token, not by the provider. */
const TOKEN_FAULTS = new Set([
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWKS_MULTIPLE_MATCHING_KEYS',
  'ERR_JOSE_NOT_SUPPORTED',
]);

/**
 * The keys of one issuer. They are read when the first token arrives, and then cached. The keys are
 * read again after `keyCacheMs`, or if a token has an unknown key id. Concurrent requests share one
 * fetch. A token cannot choose the URL of the keys: only URLs of the configured issuer are fetched.
 */
export class IssuerKeys {
  private readonly logger = new Logger('McpModule');
  private keys: Promise<RemoteKeys> | undefined;
  private pausedUntil = 0;

  constructor(
    private readonly jose: Jose,
    private readonly options: Pick<ResolvedOidc, 'issuer' | 'jwksUri' | 'keyCacheMs'>,
  ) {}

  /**
   * @throws KeysUnavailable if the provider does not respond
   * @throws JOSEError if the provider has no such key
   */
  async keyFor(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<Key> {
    const keys = await this.remoteKeys();
    try {
      return await keys(header, token);
    } catch (error) {
      const { code } = error as { readonly code?: string };
      if (code !== undefined && TOKEN_FAULTS.has(code)) throw error;
      // Reads the metadata again for the next token, because the URL of the keys may have changed.
      if (!keys.fresh) this.keys = undefined;
      throw this.failed(error);
    }
  }

  private remoteKeys(): Promise<RemoteKeys> {
    this.keys ??= this.discovered().catch((error: unknown) => {
      this.keys = undefined;
      throw this.failed(error);
    });
    return this.keys;
  }

  private async discovered(): Promise<RemoteKeys> {
    this.refuseWhilePaused();
    const { jose, options } = this;
    const url = options.jwksUri ?? (await this.jwksUriOfMetadata());
    return jose.createRemoteJWKSet(new URL(url), {
      timeoutDuration: FETCH_TIMEOUT_MS,
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: options.keyCacheMs,
      [jose.customFetch]: (...request: Parameters<typeof fetch>) => {
        this.refuseWhilePaused();
        return fetch(...request);
      },
    });
  }

  private async jwksUriOfMetadata(): Promise<string> {
    const { issuer } = this.options;
    const { jwksUri, obstacles } = await issuerMetadataOf(issuer);
    for (const obstacle of obstacles) this.logger.warn(`Provider ${issuer}: ${obstacle}`);
    return jwksUri;
  }

  private refuseWhilePaused(): void {
    if (Date.now() < this.pausedUntil) throw new KeysUnavailable('paused');
  }

  private failed(error: unknown): KeysUnavailable {
    if (error instanceof KeysUnavailable) return error;
    this.pausedUntil = Date.now() + PAUSE_MS;
    const { issuer } = this.options;
    this.logger.error(`The signing keys of ${issuer} cannot be read: ${reasonOf(error)}`);
    return new KeysUnavailable('failed', { cause: error });
  }
}
