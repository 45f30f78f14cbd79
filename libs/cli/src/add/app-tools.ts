import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { NodePackageInstallTask } from '@angular-devkit/schematics/tasks';
import type ts from 'typescript';
import { NotAddedError } from '../cli.errors.js';
import type { EditTools } from './module-imports.js';

export interface AppTools extends EditTools {
  readonly InstallTask: typeof NodePackageInstallTask;
}

/**
 * Loads Nest's schematics, and the compiler and the tasks that they use, from the application: a package installed
 * by pnpm does not find them from its own folder.
 * @throws NotAddedError
 */
export function toolsOf(folder: string): AppTools {
  const ofApp = createRequire(join(folder, 'package.json'));
  let schematics: string;
  try {
    schematics = ofApp.resolve('@nestjs/schematics');
  } catch {
    throw new NotAddedError(
      `@nestjs/schematics is not installed in ${folder}. Install it as a development dependency.`,
    );
  }
  const ofSchematics = createRequire(schematics);
  const { MetadataManager } = ofApp(schematics) as Pick<EditTools, 'MetadataManager'>;
  const tasks = ofSchematics('@angular-devkit/schematics/tasks') as {
    readonly NodePackageInstallTask: typeof NodePackageInstallTask;
  };
  return {
    MetadataManager,
    compiler: ofSchematics('typescript') as typeof ts,
    InstallTask: tasks.NodePackageInstallTask,
  };
}
