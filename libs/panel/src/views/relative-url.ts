import { posix } from 'node:path';

/**
 * Converts a path of the application to an address relative to the page. A relative address also
 * works behind a proxy that strips a prefix.
 * @param mount the path of the panel, with the global prefix: `/api/_fledge`
 */
export function relativeUrl(mount: string, path: string): string {
  const relative = posix.relative(mount, path);
  return path.endsWith('/') && relative !== '' ? `${relative}/` : relative;
}
