import { createHash, hkdfSync } from 'node:crypto';

type Jose = typeof import('jose');

interface SealingKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/**
 * Encrypts stored values as JWE with AES-256-GCM. The first secret encrypts; every secret can
 * decrypt. A value is encrypted for one purpose, and cannot be decrypted for another purpose.
 */
export class Sealer {
  private readonly keys: readonly SealingKey[];

  constructor(
    private readonly jose: Jose,
    secrets: readonly string[],
  ) {
    this.keys = secrets.map((secret) => {
      const key = new Uint8Array(hkdfSync('sha256', secret, '', 'fledge oauth-bridge seal', 32));
      return { id: createHash('sha256').update(key).digest('base64url').slice(0, 16), key };
    });
  }

  seal(purpose: string, value: unknown): Promise<string> {
    const [first] = this.keys as [SealingKey];
    return new this.jose.CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: first.id, purpose })
      .encrypt(first.key);
  }

  /**
   * Returns true if a value was encrypted with the first secret. Other values must be encrypted
   * again before their secret is removed.
   */
  isCurrent(text: string): boolean {
    return this.jose.decodeProtectedHeader(text).kid === this.keys[0]?.id;
  }

  /**
   * Decrypts a value. Returns undefined if the value was changed, if it is for another purpose, or
   * if its secret was removed.
   */
  async open(purpose: string, text: string): Promise<unknown> {
    try {
      const { plaintext, protectedHeader } = await this.jose.compactDecrypt(
        text,
        (header) => {
          const found = this.keys.find(({ id }) => id === header.kid);
          if (found === undefined) throw new Error('unknown key');
          return found.key;
        },
        { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
      );
      if (protectedHeader['purpose'] !== purpose) return undefined;
      return JSON.parse(new TextDecoder().decode(plaintext));
    } catch {
      return undefined;
    }
  }
}

/** Returns the keys that sign cookies, one for each secret. */
export function cookieKeysOf(secrets: readonly string[]): string[] {
  return secrets.map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', 'fledge oauth-bridge cookies', 32)).toString(
      'base64url',
    ),
  );
}
