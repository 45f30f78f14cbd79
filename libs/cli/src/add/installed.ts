import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { foldersUpward } from '../entry/project-folder.js';
import { isObject } from '../json.js';
import { dependenciesOf, type Installed } from './peers.js';

/** Returns the packages that an application in this folder can load. */
export function installedIn(folder: string): Installed {
  const [, ...above] = foldersUpward(folder);
  return {
    versionOf: (name) => {
      const path = manifestOf(name, folder);
      const version = path === undefined ? undefined : manifestAt(path)?.['version'];
      return typeof version === 'string' ? version : undefined;
    },
    ofWorkspace: new Set(
      above
        .map((each) => manifestAt(join(each, 'package.json')))
        .flatMap((manifest) => (manifest ? [...dependenciesOf(manifest).keys()] : [])),
    ),
  };
}

function manifestOf(name: string, folder: string): string | undefined {
  const paths = foldersUpward(folder).map((each) =>
    join(each, 'node_modules', name, 'package.json'),
  );
  try {
    // The second attempt is for Yarn Plug'n'Play, which has no package folders. This attempt can
    // fail, because some packages do not export their package.json.
    return (
      paths.find((path) => existsSync(path)) ??
      createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`)
    );
  } catch {
    return undefined;
  }
}

function manifestAt(path: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // The file is missing or is not valid JSON.
  }
}
