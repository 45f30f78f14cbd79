import { type PageFile, readPageFile, sendPageFile } from '@fledge/core/packages';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Logger } from '@nestjs/common';
import { PanelRefusal } from '../panel.errors.js';

const NOT_BUILT =
  'The page of @fledge/panel is missing. If you bundle your application, mark @fledge/panel as external. Otherwise, ' +
  'install the package again, or run "npm run build" in its repository.';

const FILES = {
  '': ['index.html', 'text/html; charset=utf-8'],
  'panel.js': ['panel.js', 'text/javascript; charset=utf-8'],
  'panel.css': ['panel.css', 'text/css; charset=utf-8'],
} as const;

/**
 * Serves the files of the page from memory. Only known paths are served, so no request can read
 * another file.
 */
export class Assets {
  private readonly assets: ReadonlyMap<string, PageFile | undefined>;

  /**
   * Reads all files once.
   * @param folder the folder of the built page, two levels below the package.json of this package.
   * If the code is bundled, it runs from another folder. That folder may contain a page of the
   * application
   */
  constructor(folder: URL) {
    this.assets = new Map(
      Object.entries(FILES).map(([path, [file, type]]) => [path, assetOf(folder, file, type)]),
    );
    if ([...this.assets.values()].every((asset) => asset !== undefined)) return;
    new Logger('PanelModule').warn(
      `${NOT_BUILT} The page was expected in ${fileURLToPath(folder)}.`,
    );
  }

  has(path: string): boolean {
    return this.assets.has(path);
  }

  /** @throws PanelRefusal if the page was not built */
  send(path: string, request: IncomingMessage, response: ServerResponse): void {
    const asset = this.assets.get(path);
    if (!asset) throw new PanelRefusal(503, 'PANEL_NOT_BUILT', NOT_BUILT);
    sendPageFile(asset, request, response);
  }
}

function assetOf(folder: URL, file: string, type: string): PageFile | undefined {
  try {
    if (packageNameAt(folder) !== '@fledge/panel') return undefined;
    return readPageFile(new URL(file, folder), type);
  } catch {
    return undefined;
  }
}

function packageNameAt(folder: URL): unknown {
  const manifest = readFileSync(new URL('../../package.json', folder), 'utf8');
  return (JSON.parse(manifest) as { readonly name?: unknown }).name;
}
