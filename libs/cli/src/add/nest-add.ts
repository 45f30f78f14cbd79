import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rule, Tree } from '@angular-devkit/schematics';
import { CliError, NotAddedError } from '../cli.errors.js';
import { foldersUpward } from '../entry/project-folder.js';
import { type Application, planOf, projectOf } from './add-plan.js';
import type { Addition } from './addition.js';
import { toolsOf } from './app-tools.js';
import { installedIn } from './installed.js';
import { packageManagerOf } from './package-manager.js';
import type { Manifest } from './peers.js';

/** The options that the Nest CLI passes, and the options in the schema of the schematic. */
export interface AddOptions {
  readonly sourceRoot?: string;
  readonly mcpJson?: boolean;
}

/**
 * Makes the schematic `nest-add` of a package. `nest add` runs the schematic after it has installed
 * the package. Files are written only after the schematic has returned. If the schematic throws,
 * the application stays unchanged.
 * @param manifestUrl the package.json of the package
 */
export function nestAddOf(addition: Addition, manifestUrl: URL): (options: AddOptions) => Rule {
  const manifest = JSON.parse(readFileSync(manifestUrl, 'utf8')) as Manifest;
  return ({ sourceRoot = 'src', mcpJson = false }) =>
    (tree, context) => {
      const folder = process.cwd();
      const app = applicationOf(tree, folder);
      try {
        const tools = toolsOf(folder);
        const plan = planOf({ addition, manifest, sourceRoot, mcpJson }, app, tools.compiler);
        for (const [path, text] of plan.files) write(tree, path, text);
        if (plan.installs) {
          const packageManager = packageManagerOf(foldersUpward(folder), (above, name) =>
            existsSync(join(above, name)),
          );
          context.addTask(new tools.InstallTask({ packageManager, allowScripts: true }));
        }
        context.logger.info(plan.message);
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        throw new Error(refusal(error, addition, manifest, app), { cause: error });
      }
    };
}

function applicationOf(tree: Tree, folder: string): Application {
  return {
    installed: installedIn(folder),
    read: (path) => (tree.exists(path) ? tree.read(path)?.toString('utf8') : undefined),
    sources: (root) => {
      const found: string[] = [];
      tree.getDir(root).visit((path) => {
        if (/\.ts$/.test(path) && !path.includes('/node_modules/')) found.push(path.slice(1));
      });
      return found;
    },
  };
}

/** @throws NotAddedError if the file is not UTF-8, because writing would damage it */
function write(tree: Tree, path: string, text: string): void {
  const present = tree.read(path);
  if (present === null) return tree.create(path, text);
  if (!isUtf8(present)) {
    throw new NotAddedError(`${path} is not encoded in UTF-8. Save the file in UTF-8.`);
  }
  tree.overwrite(path, text);
}

/** Returns the text of the failure. It contains the lines that the user can add by hand. */
function refusal(
  error: CliError,
  { module }: Addition,
  manifest: Manifest,
  app: Application,
): string {
  const reason = `${manifest.name} is installed, but no file was changed. ${error.message} [${error.code}]`;
  const isFinal = error instanceof NotAddedError && error.remedy !== 'by hand';
  if (module === undefined || isFinal) return reason;
  let call: string;
  try {
    call = module.call(projectOf(app.read));
  } catch {
    return reason; // package.json is not JSON
  }
  return [
    reason,
    `Add the module and the peer dependencies of ${manifest.name} by hand:`,
    '',
    `  import { ${module.name} } from '${manifest.name}';`,
    '',
    `  @Module({ imports: [${call}] })`,
  ].join('\n');
}
