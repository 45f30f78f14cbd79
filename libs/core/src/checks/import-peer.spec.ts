import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { importPeer } from './import-peer.js';

const missing = (cause: unknown) => new Error('Install it.', { cause });
const notFound = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /app/main.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  });

describe('importPeer', () => {
  it('returns the package', async () => {
    const load = () => import('node:util');
    await expect(importPeer('node:util', load, missing)).resolves.toBe(await load());
  });

  it('throws the given error for a package that is not installed', async () => {
    const cause = notFound('pg');
    await expect(importPeer('pg', () => Promise.reject(cause), missing)).rejects.toMatchObject({
      message: 'Install it.',
      cause,
    });
  });

  it('throws the given error if import() was compiled to require()', async () => {
    const load = async () => createRequire(import.meta.url)('@fledge/no-such-package') as unknown;
    await expect(importPeer('@fledge/no-such-package', load, missing)).rejects.toThrow(
      'Install it.',
    );
  });

  it.each([
    ['a missing dependency of the package', notFound('pg-pool')],
    ['an error of the package', new Error(`'pg' needs a newer Node.js`)],
  ])('passes on %s', async (_, error) => {
    await expect(importPeer('pg', () => Promise.reject(error), missing)).rejects.toBe(error);
  });
});
