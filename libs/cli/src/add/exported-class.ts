import type ts from 'typescript';
import type { ReadText } from '../entry/out-dir.js';
import type { FindImport } from './imported-file.js';

/** A class of the application and the file that declares it. */
export interface DeclaredClass {
  readonly path: string;
  /** `default` if the class has no name. */
  readonly className: string;
}

/** The functions that read source files and resolve their imports. */
export interface Sources {
  readonly read: ReadText;
  readonly find: FindImport;
  readonly compiler: typeof ts;
}

/** Maximum number of files between an import and its declaration. A longer chain is circular. */
const MOST_FILES = 16;

/** Finds the class that has a name in a file. The file declares or imports the class. */
export function classNamed(
  path: string,
  local: string,
  sources: Sources,
  files = 0,
): DeclaredClass | undefined {
  const { compiler, find } = sources;
  const source = parsed(path, sources);
  const isDeclared = source.statements
    .filter(compiler.isClassDeclaration)
    .some(({ name }) => name?.text === local);
  if (isDeclared) return { path, className: local };
  for (const statement of source.statements.filter(compiler.isImportDeclaration)) {
    const exported = importedName(statement, local, compiler);
    if (exported === undefined) continue;
    const file = find((statement.moduleSpecifier as ts.StringLiteral).text, path);
    return file === undefined ? undefined : classExported(file, exported, sources, files + 1);
  }
  return undefined;
}

/** Finds the class that a file exports. Follows re-exports from other files. */
function classExported(
  path: string,
  name: string,
  sources: Sources,
  files: number,
): DeclaredClass | undefined {
  if (files > MOST_FILES) return undefined;
  const { compiler, find } = sources;
  const source = parsed(path, sources);
  const below = ({ moduleSpecifier }: ts.ExportDeclaration, exported: string) => {
    const file = moduleSpecifier && find((moduleSpecifier as ts.StringLiteral).text, path);
    return file === undefined ? undefined : classExported(file, exported, sources, files + 1);
  };
  if (name === 'default') {
    const found = defaultClass(path, source, sources, files);
    if (found) return found;
  }
  const exports = source.statements.filter(compiler.isExportDeclaration);
  for (const statement of exports) {
    const clause = statement.exportClause;
    if (clause === undefined || !compiler.isNamedExports(clause)) continue;
    const element = clause.elements.find((each) => each.name.text === name);
    if (element === undefined) continue;
    const own = (element.propertyName ?? element.name).text;
    if (statement.moduleSpecifier) return below(statement, own);
    return classNamed(path, own, sources, files);
  }
  const here = name === 'default' ? undefined : classNamed(path, name, sources, files);
  if (here) return here;
  return exports
    .filter(({ exportClause }) => exportClause === undefined)
    .map((statement) => below(statement, name))
    .find((found) => found !== undefined);
}

/** Returns the class of `export default class` or `export default AppModule`. */
function defaultClass(
  path: string,
  source: ts.SourceFile,
  sources: Sources,
  files: number,
): DeclaredClass | undefined {
  const { compiler } = sources;
  const assigned = source.statements.find(compiler.isExportAssignment)?.expression;
  if (assigned && compiler.isIdentifier(assigned)) {
    return classNamed(path, assigned.text, sources, files);
  }
  const declared = source.statements
    .filter(compiler.isClassDeclaration)
    .find(({ modifiers }) =>
      modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.DefaultKeyword),
    );
  return declared && { path, className: declared.name?.text ?? 'default' };
}

/**
 * Returns the exported name for an imported name: `Root` for `import { Root as AppModule }`,
 * `default` for `import AppModule`.
 */
function importedName(
  { importClause }: ts.ImportDeclaration,
  local: string,
  compiler: typeof ts,
): string | undefined {
  if (importClause?.name?.text === local) return 'default';
  const bindings = importClause?.namedBindings;
  if (bindings === undefined || !compiler.isNamedImports(bindings)) return undefined;
  const element = bindings.elements.find(({ name }) => name.text === local);
  return element === undefined ? undefined : (element.propertyName ?? element.name).text;
}

export function parsed(
  path: string,
  { read, compiler }: Pick<Sources, 'read' | 'compiler'>,
): ts.SourceFile {
  return compiler.createSourceFile(path, read(path) ?? '', compiler.ScriptTarget.Latest, true);
}
