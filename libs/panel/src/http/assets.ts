import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Logger } from '@nestjs/common';
import { PanelRefusal } from '../panel.errors.js';

/** A file of the page, kept in memory. */
interface Asset {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

const NOT_BUILT =
  'The page of @fledge/panel is missing. Install the package again; in its repository, run "npm run build".';

const FILES = {
  '': ['index.html', 'text/html; charset=utf-8'],
  'panel.js': ['panel.js', 'text/javascript; charset=utf-8'],
  'panel.css': ['panel.css', 'text/css; charset=utf-8'],
} as const;

/** The files of the page by their address. Other addresses have none, so no path reaches the disk. */
export class Assets {
  private readonly assets: ReadonlyMap<string, Asset | undefined>;

  /**
   * Reads the files once.
   * @param folder with the built page
   */
  constructor(folder: URL) {
    this.assets = new Map(
      Object.entries(FILES).map(([path, [file, type]]) => [path, assetOf(folder, file, type)]),
    );
    if ([...this.assets.values()].every((asset) => asset !== undefined)) return;
    new Logger('PanelModule').warn(`${NOT_BUILT} It is looked for in ${fileURLToPath(folder)}.`);
  }

  has(path: string): boolean {
    return this.assets.has(path);
  }

  /** @throws PanelRefusal if the page was not built */
  send(path: string, request: IncomingMessage, response: ServerResponse): void {
    const asset = this.assets.get(path);
    if (!asset) throw new PanelRefusal(503, 'PANEL_NOT_BUILT', NOT_BUILT);
    const { bytes, type, etag } = asset;
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

function assetOf(folder: URL, file: string, type: string): Asset | undefined {
  const bytes = bytesOf(new URL(file, folder));
  if (bytes === undefined) return undefined;
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
