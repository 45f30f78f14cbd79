import { posix } from 'node:path';
import type ts from 'typescript';
import { NotAddedError } from '../cli.errors.js';
import type { ReadText } from '../entry/out-dir.js';
import { isObject, readJsonObject } from '../json.js';

/** Where the root module is declared. */
export interface RootModule {
  readonly path: string;
  readonly className: string;
}

type Compiler = typeof ts;

/**
 * Finds the root module: the class that the entry file gives to `NestFactory`. Where the entry file does not name
 * it, the class `AppModule` of the file app.module.ts.
 * @param sourceRoot the folder of the sources, as `nest add` passes it
 * @throws NotAddedError
 */
export function rootModuleOf(read: ReadText, sourceRoot: string, compiler: Compiler): RootModule {
  const folder = posix.normalize(sourceRoot).replace(/\/$/, '');
  const entries = entryNames(read, folder);
  const entry = entries.find((path) => read(`${path}.ts`) !== undefined);
  if (entry === undefined) {
    const script = entries.find((path) => read(`${path}.js`) !== undefined);
    if (script !== undefined) {
      throw new NotAddedError(
        `The application is written in JavaScript (${script}.js); nest add edits TypeScript.`,
      );
    }
  } else {
    const named = bootedModule(`${entry}.ts`, read, compiler);
    if (named !== undefined) return named;
  }
  const usual = [`${folder}/app.module.ts`, `${folder}/app/app.module.ts`];
  const path = usual.find((each) => /\bclass AppModule\b/.test(read(each) ?? ''));
  if (path !== undefined) return { path, className: 'AppModule' };
  throw new NotAddedError(
    `No root module was found: ${entry === undefined ? `there is no ${entries[0]}.ts` : `${entry}.ts gives no imported class to NestFactory`}, and no AppModule in ${usual.join(' or ')}.`,
  );
}

/** Paths of the entry file without extension, the most likely first. */
function entryNames(read: ReadText, folder: string): string[] {
  const entry = entryFile(read, folder).replace(/\.[jt]s$/, '');
  const names = [posix.join(folder, entry), posix.normalize(entry), posix.join(folder, 'main')];
  return [...new Set(names)];
}

function entryFile(read: ReadText, folder: string): string {
  const text = read('nest-cli.json');
  if (text === undefined) return 'main';
  const config = readJsonObject('nest-cli.json', text, 'Correct it, then run nest add again.');
  const projects = isObject(config['projects']) ? Object.values(config['projects']) : [];
  const own = projects
    .filter(isObject)
    .find(
      ({ sourceRoot }) => typeof sourceRoot === 'string' && posix.normalize(sourceRoot) === folder,
    );
  const entry = own?.['entryFile'] ?? config['entryFile'];
  return typeof entry === 'string' ? entry : 'main';
}

/** Reads `NestFactory.create(AppModule)` and the import of that class. */
function bootedModule(entry: string, read: ReadText, compiler: Compiler): RootModule | undefined {
  const source = compiler.createSourceFile(
    entry,
    read(entry) ?? '',
    compiler.ScriptTarget.Latest,
    true,
  );
  const local = argumentOfFactory(source, compiler);
  if (local === undefined) return undefined;
  for (const statement of source.statements) {
    if (!compiler.isImportDeclaration(statement)) continue;
    const className = importedName(statement, local, compiler);
    if (className === undefined) continue;
    const path = fileOf((statement.moduleSpecifier as ts.StringLiteral).text, entry, read);
    return path === undefined ? undefined : { path, className };
  }
  return new RegExp(`\\bclass ${local}\\b`).test(source.text)
    ? { path: entry, className: local }
    : undefined;
}

function argumentOfFactory(source: ts.SourceFile, compiler: Compiler): string | undefined {
  let found: string | undefined;
  const visit = (node: ts.Node): void => {
    if (
      compiler.isCallExpression(node) &&
      /^NestFactory\.create\w*$/.test(node.expression.getText(source))
    ) {
      const first = node.arguments[0];
      if (first !== undefined && compiler.isIdentifier(first)) found ??= first.text;
    }
    compiler.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The exported name behind a local one: `Root` of `import { Root as AppModule }`. */
function importedName(
  { importClause }: ts.ImportDeclaration,
  local: string,
  compiler: Compiler,
): string | undefined {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined || !compiler.isNamedImports(bindings)) return undefined;
  const element = bindings.elements.find(({ name }) => name.text === local);
  return element === undefined ? undefined : (element.propertyName ?? element.name).text;
}

/** Looks below the importing file, and for paths such as 'src/app.module' below the application's folder. */
function fileOf(specifier: string, importer: string, read: ReadText): string | undefined {
  const below = specifier.startsWith('.') ? posix.dirname(importer) : '';
  const path = posix.join(below, specifier).replace(/\.js$/, '');
  return [`${path}.ts`, `${path}/index.ts`].find((file) => /\bclass\b/.test(read(file) ?? ''));
}
