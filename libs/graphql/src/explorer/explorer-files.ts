import { type PageFile, readPageFile } from '@fledge/core/packages';
import { Logger } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The files that are served below the path of an endpoint, and the media type of each file. */
const TYPES = {
  'explorer.js': 'text/javascript; charset=utf-8',
  'explorer.css': 'text/css; charset=utf-8',
};

type Files = ReadonlyMap<string, PageFile>;

/**
 * Returns a function that reads the files of the explorer on first use. The function returns a map
 * of the files by name. If the files are missing, the map is empty, and a message is logged once.
 * @param folder the folder of the built files, two levels below the package.json of this package
 */
export function explorerFiles(folder: URL): () => Files {
  let files: Files | undefined;
  return () => (files ??= readFiles(folder));
}

function readFiles(folder: URL): Files {
  try {
    refuseOtherPackage(folder);
    return new Map(
      Object.entries(TYPES).map(([name, type]) => [
        name,
        readPageFile(new URL(name, folder), type),
      ]),
    );
  } catch {
    new Logger('GraphqlExplorer').warn(
      `The explorer of @fledge/graphql is missing in ${fileURLToPath(folder)}. If you bundle your ` +
        `application, mark @fledge/graphql as external. Otherwise, install the package again.`,
    );
    return new Map();
  }
}

/**
 * In a bundle, this throws, because the code runs from another folder. That folder may contain
 * files of the application.
 */
function refuseOtherPackage(folder: URL): void {
  const manifest = readFileSync(new URL('../../package.json', folder), 'utf8');
  const { name } = JSON.parse(manifest) as { readonly name?: unknown };
  if (name !== '@fledge/graphql') throw new Error('The files belong to another package.');
}
