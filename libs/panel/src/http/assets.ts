import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { PanelNotBuiltError } from '../panel.errors.js';

/** A file of the page, kept in memory. */
interface Asset {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

const FILES = {
  '': ['index.html', 'text/html; charset=utf-8'],
  'panel.js': ['panel.js', 'text/javascript; charset=utf-8'],
  'panel.css': ['panel.css', 'text/css; charset=utf-8'],
} as const;

/** The files of the page by their address. Other addresses have none, so no path reaches the disk. */
export class Assets {
  private readonly assets: ReadonlyMap<string, Asset>;

  /**
   * Reads the files once.
   * @param folder with the built page
   * @throws PanelNotBuiltError
   */
  constructor(folder: URL) {
    this.assets = new Map(
      Object.entries(FILES).map(([path, [file, type]]) => [path, assetOf(folder, file, type)]),
    );
  }

  has(path: string): boolean {
    return this.assets.has(path);
  }

  send(path: string, request: IncomingMessage, response: ServerResponse): void {
    const { bytes, type, etag } = this.assets.get(path)!;
    response.setHeader('etag', etag);
    // The browser asks each time, and gets 304: names of files do not change with their content.
    response.setHeader('cache-control', 'no-cache');
    if (request.headers['if-none-match']?.includes(etag)) {
      response.statusCode = 304;
      response.end();
      return;
    }
    response.setHeader('content-type', type);
    response.setHeader('content-length', bytes.length);
    response.end(bytes);
  }
}

function assetOf(folder: URL, file: string, type: string): Asset {
  const bytes = bytesOf(new URL(file, folder));
  if (bytes === undefined) throw new PanelNotBuiltError(fileURLToPath(folder));
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { bytes, type, etag };
}

function bytesOf(file: URL): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
