import type ts from 'typescript';
import { NotAddedError } from '../cli.errors.js';
import type { RootModule } from './root-module.js';

/** The compiler, and the class with which Nest's schematics edit the metadata of modules. */
export interface EditTools {
  readonly compiler: typeof ts;
  readonly MetadataManager: new (text: string) => {
    insert(key: string, symbol: string): string | undefined;
  };
}

/** A module to add to `imports`: its class, the expression and the package that exports it. */
export interface NewImport {
  readonly name: string;
  readonly call: string;
  readonly from: string;
}

/**
 * Adds a module to the `imports` of a root module, and the line that imports its class.
 * @param text the file that declares the root module
 * @throws NotAddedError if the metadata is not written out in this file
 */
export function addToImports(
  text: string,
  root: RootModule,
  added: NewImport,
  tools: EditTools,
): string {
  const { compiler } = tools;
  const source = parsed(text, root.path, compiler);
  checkMetadata(metadataOf(source, root, compiler), root, compiler);
  const imported = importOf(source, added, root, compiler);
  const quoted = quoteOf(source) === '"' ? added.call.replaceAll("'", '"') : added.call;
  const inserted = new tools.MetadataManager(text).insert('imports', quoted);
  if (inserted === undefined || inserted === text) {
    throw new NotAddedError(`@Module() of ${root.className} in ${root.path} could not be edited.`);
  }
  const whole = imported
    ? inserted
    : withImportLine(parsed(inserted, root.path, compiler), added, compiler);
  const hasCrlfOnly = text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
  return hasCrlfOnly ? whole.replace(/\r?\n/g, '\r\n') : whole;
}

function parsed(text: string, path: string, { createSourceFile, ScriptTarget }: typeof ts) {
  return createSourceFile(path, text, ScriptTarget.Latest, true);
}

/** The object literal of `@Module({ ... })`. MetadataManager edits the first of a file, so it must be the only one. */
function metadataOf(
  source: ts.SourceFile,
  { path, className }: RootModule,
  compiler: typeof ts,
): ts.ObjectLiteralExpression {
  const modules = source.statements.filter(compiler.isClassDeclaration).flatMap((declaration) =>
    (compiler.getDecorators(declaration) ?? [])
      .map(({ expression }) => expression)
      .filter(compiler.isCallExpression)
      .filter(({ expression }) => expression.getText(source) === 'Module')
      .map((call) => ({ name: declaration.name?.text, metadata: call.arguments[0] })),
  );
  const own = modules.find(({ name }) => name === className);
  if (own === undefined) {
    throw new NotAddedError(`${className} in ${path} has no decorator @Module().`);
  }
  if (modules.length > 1) {
    throw new NotAddedError(`${path} declares several modules; nest add edits a file with one.`);
  }
  if (own.metadata === undefined || !compiler.isObjectLiteralExpression(own.metadata)) {
    throw new NotAddedError(
      `@Module() of ${className} in ${path} takes ${own.metadata?.getText(source) ?? 'nothing'}, not an object literal.`,
    );
  }
  return own.metadata;
}

function checkMetadata(
  metadata: ts.ObjectLiteralExpression,
  { path, className }: RootModule,
  compiler: typeof ts,
): void {
  const place = `of ${className} in ${path}`;
  if (metadata.properties.some(compiler.isSpreadAssignment)) {
    throw new NotAddedError(`@Module() ${place} spreads an object, which may have imports.`);
  }
  const imports = metadata.properties.find(
    ({ name }) => name !== undefined && /^(['"]?)imports\1$/.test(name.getText()),
  );
  if (imports === undefined) return;
  const list = compiler.isPropertyAssignment(imports) ? imports.initializer : undefined;
  if (list === undefined || !compiler.isArrayLiteralExpression(list)) {
    throw new NotAddedError(`imports ${place} is ${list?.getText() ?? 'a variable'}, not a list.`);
  }
  const spread = list.elements
    .filter(compiler.isSpreadElement)
    .find(({ expression }) => !isWrittenHere(expression, compiler));
  if (spread !== undefined) {
    throw new NotAddedError(`imports ${place} has ${spread.getText()}, a list written elsewhere.`);
  }
}

/** `...(condition ? [A] : [])` adds modules that stand in the list itself. */
function isWrittenHere(expression: ts.Expression, compiler: typeof ts): boolean {
  if (compiler.isParenthesizedExpression(expression)) {
    return isWrittenHere(expression.expression, compiler);
  }
  if (compiler.isConditionalExpression(expression)) {
    return [expression.whenTrue, expression.whenFalse].every((each) =>
      isWrittenHere(each, compiler),
    );
  }
  return compiler.isArrayLiteralExpression(expression);
}

/**
 * Returns true if the file imports the class already.
 * @throws NotAddedError if the name stands for something else
 */
function importOf(
  source: ts.SourceFile,
  { name, from }: NewImport,
  { path }: RootModule,
  compiler: typeof ts,
): boolean {
  for (const { importClause, moduleSpecifier } of source.statements.filter(
    compiler.isImportDeclaration,
  )) {
    const bindings = importClause?.namedBindings;
    const names = bindings && compiler.isNamedImports(bindings) ? bindings.elements : [];
    const element = names.find((each) => each.name.text === name);
    if (element === undefined) continue;
    const specifier = (moduleSpecifier as ts.StringLiteral).text;
    if (specifier === from && element.propertyName === undefined) return true;
    throw new NotAddedError(`${path} has a ${name} of ${specifier} already.`);
  }
  return false;
}

/** Writes the line after the last import, with the quotes and the semicolon of that import. */
function withImportLine(source: ts.SourceFile, added: NewImport, compiler: typeof ts): string {
  const { text } = source;
  const last = source.statements.filter(compiler.isImportDeclaration).at(-1);
  const quote = quoteOf(source);
  const end = last === undefined || last.getText(source).endsWith(';') ? ';' : '';
  const line = `import { ${added.name} } from ${quote}${added.from}${quote}${end}`;
  if (last === undefined) return `${line}\n${text}`;
  // After a comment on the same line.
  const comment = /^[ \t]*(\/\/[^\r\n]*)?/.exec(text.slice(last.end))?.[0] ?? '';
  const at = last.end + comment.length;
  return `${text.slice(0, at)}\n${line}${text.slice(at)}`;
}

function quoteOf(source: ts.SourceFile): string {
  return /^import\b[^'"]*(['"])/m.exec(source.text)?.[1] ?? "'";
}
