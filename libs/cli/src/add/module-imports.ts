import type ts from 'typescript';
import { NotAddedError } from '../cli.errors.js';
import { appendElement } from './append-element.js';
import type { DeclaredClass } from './exported-class.js';

/**
 * A module that is added to `imports`: its class, the expression, and the package that exports the
 * class.
 */
export interface NewImport {
  readonly name: string;
  readonly call: string;
  readonly from: string;
}

/**
 * Adds a module to the `imports` of a root module, and adds an import statement for its class. If
 * the class name is already used in the file, the class is imported under another name.
 * @param text the content of the file that declares the root module
 * @throws NotAddedError if the metadata of the root module is not a literal in this file
 */
export function addToImports(
  text: string,
  root: DeclaredClass,
  added: NewImport,
  compiler: typeof ts,
): string {
  requireValid(text, root.path, compiler);
  const source = parsed(text, root.path, compiler);
  const metadata = metadataOf(source, root, compiler);
  const list = importsOf(metadata, root, compiler);
  const { local, isImported } = localNameOf(source, added, compiler);
  const renamed = `${local}${added.call.slice(added.name.length)}`;
  const call = quoteOf(source) === '"' ? renamed.replaceAll("'", '"') : renamed;
  const edited =
    list === undefined
      ? appendElement(
          text,
          { elements: metadata.properties, end: metadata.end },
          `imports: [${call}]`,
          compiler,
        )
      : appendElement(text, list, call, compiler);
  const whole = isImported
    ? edited
    : withImportLine(parsed(edited, root.path, compiler), { ...added, local }, compiler);
  const hasCrlfOnly = text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
  return hasCrlfOnly ? whole.replace(/\r?\n/g, '\r\n') : whole;
}

function parsed(text: string, path: string, { createSourceFile, ScriptTarget }: typeof ts) {
  return createSourceFile(path, text, ScriptTarget.Latest, true);
}

/** @throws NotAddedError if the file has a syntax error. The edit could be at a wrong place */
function requireValid(text: string, path: string, compiler: typeof ts): void {
  const { diagnostics = [] } = compiler.transpileModule(text, {
    fileName: path,
    reportDiagnostics: true,
  });
  // Diagnostics without a file are about compiler options.
  const first = diagnostics.find(({ file }) => file !== undefined);
  if (first === undefined) return;
  const line = text.slice(0, first.start ?? 0).split('\n').length;
  const fault = compiler.flattenDiagnosticMessageText(first.messageText, ' ').replace(/\.$/, '');
  throw new NotAddedError(
    `${path}, line ${line}, is not valid TypeScript: ${fault}. Correct the file, then run nest add again.`,
  );
}

/** Returns the object literal of `@Module({ ... })`. */
function metadataOf(
  source: ts.SourceFile,
  { path, className }: DeclaredClass,
  compiler: typeof ts,
): ts.ObjectLiteralExpression {
  const modules = source.statements.filter(compiler.isClassDeclaration).flatMap((declaration) =>
    (compiler.getDecorators(declaration) ?? [])
      .map(({ expression }) => expression)
      .filter(compiler.isCallExpression)
      .filter(({ expression }) => expression.getText(source) === 'Module')
      .map((call) => ({ name: declaration.name?.text ?? 'default', metadata: call.arguments[0] })),
  );
  const own = modules.find(({ name }) => name === className);
  if (own === undefined) {
    throw new NotAddedError(`The class ${className} in ${path} has no decorator @Module().`);
  }
  if (own.metadata === undefined || !compiler.isObjectLiteralExpression(own.metadata)) {
    throw new NotAddedError(
      `@Module() of ${className} in ${path} receives ${own.metadata?.getText(source) ?? 'nothing'} instead of an object literal.`,
    );
  }
  return own.metadata;
}

/**
 * Returns the array literal of `imports`. Returns undefined if there is none.
 * @throws NotAddedError if `imports` is not an array literal, or if it spreads a list that is
 * declared elsewhere
 */
function importsOf(
  metadata: ts.ObjectLiteralExpression,
  { path, className }: DeclaredClass,
  compiler: typeof ts,
): ts.ArrayLiteralExpression | undefined {
  const fault = (subject: string, fact: string) =>
    new NotAddedError(`${subject} of ${className} in ${path} ${fact}.`);
  if (metadata.properties.some(compiler.isSpreadAssignment)) {
    throw fault('@Module()', 'spreads an object, which may contain the key `imports`');
  }
  const keys = metadata.properties.map(({ name }) => name && keyOf(name, compiler));
  if (keys.includes(undefined)) {
    throw fault('@Module()', 'has a computed key, which may be the key `imports`');
  }
  if (keys.indexOf('imports') !== keys.lastIndexOf('imports')) {
    throw fault('@Module()', 'has the key `imports` more than once');
  }
  const imports = metadata.properties[keys.indexOf('imports')];
  if (imports === undefined) return undefined;
  const list = compiler.isPropertyAssignment(imports) ? imports.initializer : undefined;
  if (list === undefined || !compiler.isArrayLiteralExpression(list)) {
    throw fault('`imports`', `is ${list?.getText() ?? 'a variable'} instead of an array literal`);
  }
  const spread = list.elements
    .filter(compiler.isSpreadElement)
    .find(({ expression }) => !isWrittenHere(expression, compiler));
  if (spread !== undefined) {
    throw fault('`imports`', `contains ${spread.getText()}, which is declared elsewhere`);
  }
  return list;
}

/**
 * Returns `imports` for the keys `imports`, `'imports'` and `['imports']`. Returns undefined if the
 * key is computed.
 */
function keyOf(name: ts.PropertyName, compiler: typeof ts): string | undefined {
  if (!compiler.isComputedPropertyName(name)) return name.text;
  return compiler.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
}

/**
 * Returns true for a spread such as `...(condition ? [A] : [])`. Such a spread contains the modules
 * as literals.
 */
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
 * Returns the name of the class in this file. If the class is already imported, returns its
 * imported name. Otherwise, returns a name that the file does not use yet.
 */
function localNameOf(
  source: ts.SourceFile,
  { name, from }: NewImport,
  compiler: typeof ts,
): { readonly local: string; readonly isImported: boolean } {
  for (const { importClause, moduleSpecifier } of source.statements.filter(
    compiler.isImportDeclaration,
  )) {
    if ((moduleSpecifier as ts.StringLiteral).text !== from || importClause?.isTypeOnly) continue;
    const bindings = importClause?.namedBindings;
    const names = bindings && compiler.isNamedImports(bindings) ? bindings.elements : [];
    const element = names.find(
      (each) => !each.isTypeOnly && (each.propertyName ?? each.name).text === name,
    );
    if (element !== undefined) return { local: element.name.text, isImported: true };
  }
  const taken = identifiersOf(source, compiler);
  let local = name;
  while (taken.has(local)) local = `Fledge${local}`;
  return { local, isImported: false };
}

function identifiersOf(source: ts.SourceFile, compiler: typeof ts): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (compiler.isIdentifier(node)) found.add(node.text);
    compiler.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * Inserts the import statement after the last import. Uses the same quotes and semicolons as the
 * last import.
 */
function withImportLine(
  source: ts.SourceFile,
  { name, local, from }: NewImport & { readonly local: string },
  compiler: typeof ts,
): string {
  const { text } = source;
  const last = source.statements.filter(compiler.isImportDeclaration).at(-1);
  const quote = quoteOf(source);
  const end = last === undefined || last.getText(source).endsWith(';') ? ';' : '';
  const imported = local === name ? name : `${name} as ${local}`;
  const line = `import { ${imported} } from ${quote}${from}${quote}${end}`;
  if (last === undefined) return `${line}\n${text}`;
  // A comment may follow the last import on its line. The new line goes after this comment.
  const comment = /^[ \t]*(\/\/[^\r\n]*)?/.exec(text.slice(last.end))?.[0] ?? '';
  const at = last.end + comment.length;
  return `${text.slice(0, at)}\n${line}${text.slice(at)}`;
}

function quoteOf(source: ts.SourceFile): string {
  return /^import\b[^'"]*(['"])/m.exec(source.text)?.[1] ?? "'";
}
