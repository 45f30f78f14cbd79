import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { NodePackageInstallTask } from '@angular-devkit/schematics/tasks';
import type ts from 'typescript';
import { NotAddedError } from '../cli.errors.js';

export interface AppTools {
  readonly compiler: typeof ts;
  readonly InstallTask: typeof NodePackageInstallTask;
}

/**
 * Loads the compiler and the schematics tasks from the application's dependencies. This package
 * cannot import these tools itself, because with pnpm a package can load only its own dependencies.
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
  const tasks = ofSchematics('@angular-devkit/schematics/tasks') as {
    readonly NodePackageInstallTask: typeof NodePackageInstallTask;
  };
  return {
    compiler: ofSchematics('typescript') as typeof ts,
    InstallTask: tasks.NodePackageInstallTask,
  };
}
