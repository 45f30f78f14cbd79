import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the code blocks of a document in one language, in order. */
export function blocksOf(document: string, language: string): string[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, tag]) => tag === language)
    .map(([, , code]) => code as string);
}

/** Returns the commands that a document tells its reader to run. */
export function commandsOf(document: string): string[] {
  return blocksOf(document, 'sh')
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '');
}

/**
 * Compiles snippets as a user's project would: with tsc, in strict mode, against the built
 * packages.
 * @returns the compiled files, in order
 */
export function compile(folder: string, snippets: readonly string[]): string[] {
  const at = join(root, 'test', folder);
  rmSync(at, { recursive: true, force: true });
  mkdirSync(at, { recursive: true });
  snippets.forEach((code, i) =>
    writeFileSync(join(at, `snippet-${i}.ts`), `${code}\nexport {};\n`),
  );
  writeFileSync(join(at, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(at, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: { noEmit: false, outDir: 'dist', paths: {} },
      include: ['*.ts'],
    }),
  );
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', at], {
      encoding: 'utf8',
    });
  } catch (error) {
    throw new Error(`A snippet does not compile:\n${(error as { stdout: string }).stdout}`, {
      cause: error,
    });
  }
  return snippets.map((_, i) => join(at, 'dist', `snippet-${i}.js`));
}
