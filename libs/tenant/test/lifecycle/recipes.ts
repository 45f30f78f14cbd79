// The recipes of the pages about migrators, in a project of their own. test/packed/snippets.spec.ts checks their types.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { emitByTsc } from '../../../../test/support/emitted-by-tsc.js';
import { blocksOf, root } from '../../../../test/support/snippets.js';

export interface RecipeProject {
  readonly folder: string;
  /** Runs a program of this folder with a compiled recipe, and returns what it prints. */
  run(call: {
    readonly program: string;
    readonly recipe: string;
    readonly args: readonly string[];
    readonly url: string;
    /** @default the folder of the project */
    readonly cwd?: string | undefined;
  }): Promise<unknown>;
  remove(): void;
}

/** A recipe for a database per tenant: of the one for a schema per tenant, it replaces the function of that name. */
export function forDatabases(recipe: string, replacement: string): string {
  const [, name] = /^export const (\w+) = /.exec(replacement) as unknown as [string, string];
  const replaced = recipe.replace(new RegExp(`^const ${name} = [^]*?^}\\)?;\\n`, 'm'), () =>
    replacement.replace('export ', ''),
  );
  if (replaced === recipe) throw new Error(`The recipe has no function ${name}.`);
  return replaced;
}

export const recipesOf = (page: string) => blocksOf(`libs/tenant/docs/${page}`, 'ts');

/** @param recipes name of the file, and its text */
export function recipeProject(recipes: Readonly<Record<string, string>>): RecipeProject {
  const folder = mkdtempSync(join(tmpdir(), 'fledge-migrators-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(folder, 'dist'));
  for (const [name, code] of Object.entries(recipes)) {
    writeFileSync(join(folder, 'dist', `${name}.js`), emitByTsc(code, 'ESNext'));
  }
  return {
    folder,
    async run({ program, recipe, args, url, cwd = folder }) {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [
          '--no-warnings',
          fileURLToPath(new URL(program, import.meta.url)),
          join(folder, 'dist', `${recipe}.js`),
          ...args,
        ],
        { cwd, env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: url } },
      );
      return JSON.parse(stdout);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
