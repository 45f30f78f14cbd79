import { posix } from 'node:path';

/**
 * The address of a path of the application, relative to the page. Relative, so that it also holds behind a proxy
 * that strips a prefix.
 * @param mount where the panel is, with the global prefix: `/api/_fledge`
 */
export function relativeUrl(mount: string, path: string): string {
  const relative = posix.relative(mount, path);
  return path.endsWith('/') && relative !== '' ? `${relative}/` : relative;
}
