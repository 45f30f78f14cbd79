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
    compiler: compilerOf(folder, ofApp),
    InstallTask: tasks.NodePackageInstallTask,
  };
}

/**
 * Loads TypeScript. TypeScript 7.0 has no API for other programs, so an application that uses it
 * gets the older version that the Nest CLI depends on.
 */
function compilerOf(folder: string, ofApp: NodeJS.Require): typeof ts {
  for (const owner of ['@nestjs/schematics', '@nestjs/cli/package.json']) {
    try {
      const compiler = createRequire(ofApp.resolve(owner))('typescript') as typeof ts;
      if (typeof compiler.createSourceFile === 'function') return compiler;
    } catch {
      // The owner or its TypeScript is not installed.
    }
  }
  throw new NotAddedError(
    'nest add needs the compiler API of TypeScript, which TypeScript 7.0 does not have. Run ' +
      `npm install -D typescript@6 in ${folder}, and add the module again.`,
  );
}
