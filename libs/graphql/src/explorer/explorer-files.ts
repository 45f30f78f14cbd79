import { type PageFile, readPageFile } from '@fledge/core/packages';
import { Logger } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TYPES = {
  'explorer.js': 'text/javascript; charset=utf-8',
  'explorer.css': 'text/css; charset=utf-8',
} as const;

/** The names of the files, which are served below the path of an endpoint. */
export type ExplorerFileName = keyof typeof TYPES;

/** True for the name of a file. No other text reaches the disk. */
export function isExplorerFile(name: string): name is ExplorerFileName {
  return Object.hasOwn(TYPES, name);
}

/** Reads the files of the explorer on first use. */
export class ExplorerFiles {
  private files: ReadonlyMap<string, PageFile> | undefined;

  /** @param folder with the built files, two levels below the package.json of this package */
  constructor(private readonly folder: URL) {}

  /** False, with a warning in the log, if the files are missing. */
  get present(): boolean {
    return this.read().size > 0;
  }

  /** @returns undefined if the files are missing */
  get(name: ExplorerFileName): PageFile | undefined {
    return this.read().get(name);
  }

  private read(): ReadonlyMap<string, PageFile> {
    return (this.files ??= this.readAll());
  }

  private readAll(): ReadonlyMap<string, PageFile> {
    try {
      refuseOtherPackage(this.folder);
      return new Map(
        Object.entries(TYPES).map(([name, type]) => [
          name,
          readPageFile(new URL(name, this.folder), type),
        ]),
      );
    } catch {
      new Logger('GraphqlExplorer').warn(
        `The explorer of @fledge/graphql is missing in ${fileURLToPath(this.folder)}. If you bundle your ` +
          `application, leave out @fledge/graphql (external); otherwise install it again.`,
      );
      return new Map();
    }
  }
}

/** In a bundle, the place of this code is another one, and an application may have files of its own there. */
function refuseOtherPackage(folder: URL): void {
  const manifest = readFileSync(new URL('../../package.json', folder), 'utf8');
  const { name } = JSON.parse(manifest) as { readonly name?: unknown };
  if (name !== '@fledge/graphql') throw new Error('The files belong to another package.');
}
