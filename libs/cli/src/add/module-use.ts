import type ts from 'typescript';

/** A class that a package exports, such as `McpModule` of `@fledge/mcp`. */
export interface PackageClass {
  readonly name: string;
  readonly from: string;
}

/**
 * Returns true if a file imports a class from the package and calls one of its static methods, such
 * as `forRoot()`. The file may import the class under another name. A class with the same name from
 * another package does not count.
 */
export function usesModule(text: string, wanted: PackageClass, compiler: typeof ts): boolean {
  // Parsing is slow, and most files do not mention the package.
  if (!text.includes(wanted.from)) return false;
  const source = compiler.createSourceFile('file.ts', text, compiler.ScriptTarget.Latest, true);
  const names = localNames(source, wanted, compiler);
  if (names.size === 0) return false;
  const isUsed = (node: ts.Node): boolean => {
    if (compiler.isCallExpression(node)) {
      const callee = node.expression.getText(source).replace(/\s/g, '');
      // Modules of tests in the source folder are ignored.
      if (/(^|\.)createTestingModule$/.test(callee)) return false;
      const [, owner] = /^(.*)\.(?:for|register)\w*$/.exec(callee) ?? [];
      if (owner !== undefined && names.has(owner)) return true;
    }
    return compiler.forEachChild(node, (child) => isUsed(child) || undefined) ?? false;
  };
  return isUsed(source);
}

/**
 * Returns the names of the class in a file: `Mcp` for `import { McpModule as Mcp }`,
 * `mcp.McpModule` for a namespace import.
 */
export function localNames(
  source: ts.SourceFile,
  { name, from }: PackageClass,
  compiler: typeof ts,
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { importClause, moduleSpecifier } of source.statements.filter(
    compiler.isImportDeclaration,
  )) {
    if ((moduleSpecifier as ts.StringLiteral).text !== from) continue;
    const bindings = importClause?.namedBindings;
    if (bindings === undefined) continue;
    if (compiler.isNamespaceImport(bindings)) names.add(`${bindings.name.text}.${name}`);
    else {
      for (const element of bindings.elements) {
        if ((element.propertyName ?? element.name).text === name) names.add(element.name.text);
      }
    }
  }
  return names;
}
