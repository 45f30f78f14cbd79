// Finds the option tables of the libraries, `{ ... } satisfies OptionTable<X>`, and their
// interfaces in the syntax tree. New tables and options are found automatically.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** An expression or a type, and the file in which its names are resolved. */
export interface Placed<Node extends ts.Node> {
  readonly node: Node;
  readonly file: ts.SourceFile;
}

export interface FoundTable extends Placed<ts.ObjectLiteralExpression> {
  /** The file and the type, such as `libs/panel/src/panel.defaults.ts: PanelOptions`. */
  readonly name: string;
  /** The type of the options, such as `PanelOptions`. */
  readonly type: Placed<ts.TypeNode>;
}

/** Returns all tables of the libraries. */
export function findTables(): readonly FoundTable[] {
  return filesIn('libs').flatMap((path) => {
    const file = parse(path);
    const found: FoundTable[] = [];
    visit(file, (node) => {
      const table = asTable({ node, file });
      if (table) found.push(table);
    });
    return found;
  });
}

/** Returns the rules of a table by option name, including the rules of tables that it spreads. */
export function rulesOf({
  node,
  file,
}: Placed<ts.ObjectLiteralExpression>): Map<string, Placed<ts.Expression>> {
  const rules = new Map<string, Placed<ts.Expression>>();
  for (const property of node.properties) {
    if (ts.isPropertyAssignment(property)) {
      rules.set(property.name.getText(file), { node: property.initializer, file });
    } else if (ts.isShorthandPropertyAssignment(property)) {
      rules.set(property.name.text, { node: property.name, file });
    } else if (ts.isSpreadAssignment(property)) {
      const spread = objectIn(property.expression, file);
      if (spread) for (const [name, rule] of rulesOf(spread)) rules.set(name, rule);
    }
  }
  return rules;
}

/** Returns the tables that a table spreads. */
export function spreadIn({
  node,
  file,
}: Placed<ts.ObjectLiteralExpression>): readonly FoundTable[] {
  return node.properties.filter(ts.isSpreadAssignment).flatMap(({ expression }) => {
    const spread = objectIn(expression, file);
    if (!spread) return [];
    const table = asTable({ node: spread.node.parent, file: spread.file });
    return [...(table ? [table] : []), ...spreadIn(spread)];
  });
}

/** Returns the tables that a rule reads, such as the table of a group. */
export function tablesIn(
  rule: Placed<ts.Expression>,
  seen = new Set<ts.Node>(),
): readonly FoundTable[] {
  const found: FoundTable[] = [];
  visit(rule.node, (node) => {
    const inline = asTable({ node, file: rule.file });
    if (inline) found.push(inline);
    if (!ts.isIdentifier(node) || isNameOf(node)) return;
    const value = valueOf(node.text, rule.file);
    if (value === undefined || seen.has(value.node)) return;
    seen.add(value.node);
    const table = asTable(value);
    found.push(...(table ? [table] : tablesIn(value, seen)));
  });
  return found;
}

/** Returns the value of the first `.default(value)` in a rule. */
export function defaultIn(rule: Placed<ts.Expression>): Placed<ts.Expression> | undefined {
  const { node, file } = rule;
  if (ts.isIdentifier(node)) {
    const value = valueOf(node.text, file);
    return value && defaultIn(value);
  }
  let found: ts.Expression | undefined;
  visit(node, (each) => {
    if (!ts.isCallExpression(each) || !ts.isPropertyAccessExpression(each.expression)) return;
    if (each.expression.name.text === 'default') found ??= each.arguments[0];
  });
  if (found) return { node: found, file };
  // The rule is completed in another file: `routeMode.optional`, `httpMethods`.
  return undefined;
}

/**
 * Returns the value of a constant in a file. The constant may be imported from another file of the
 * library.
 */
export function valueOf(name: string, file: ts.SourceFile): Placed<ts.Expression> | undefined {
  for (const statement of file.statements.filter(ts.isVariableStatement)) {
    for (const { name: declared, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(declared) && declared.text === name && initializer) {
        return { node: initializer, file };
      }
    }
  }
  return followed(name, file, valueOf);
}

/**
 * Returns the properties of a type by name. `isOpen` is true if the type also has properties from
 * other packages.
 */
export function membersOf({ node, file }: Placed<ts.Node>): {
  readonly members: Map<string, ts.TypeElement>;
  readonly isOpen: boolean;
} {
  const members = new Map<string, ts.TypeElement>();
  let isOpen = false;
  const add = (type: Placed<ts.Node>) => {
    const of = membersOf(type);
    isOpen ||= of.isOpen;
    for (const [name, member] of of.members) if (!members.has(name)) members.set(name, member);
  };
  if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)) {
    for (const member of node.members)
      if (member.name) members.set(member.name.getText(file), member);
    const bases = ts.isInterfaceDeclaration(node) ? (node.heritageClauses ?? []) : [];
    for (const base of bases.flatMap(({ types }) => types)) add({ node: base, file });
  } else if (ts.isTypeAliasDeclaration(node) || ts.isParenthesizedTypeNode(node)) {
    add({ node: node.type, file });
  } else if (ts.isIntersectionTypeNode(node) || ts.isUnionTypeNode(node)) {
    for (const type of node.types) add({ node: type, file });
  } else if (ts.isIndexedAccessTypeNode(node) && ts.isLiteralTypeNode(node.indexType)) {
    const { members: all } = membersOf({ node: node.objectType, file });
    const member = all.get((node.indexType.literal as ts.StringLiteral).text);
    const type = member && ts.isPropertySignature(member) ? member.type : undefined;
    if (type) add({ node: type, file: type.getSourceFile() });
  } else if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
    const name = (ts.isTypeReferenceNode(node) ? node.typeName : node.expression).getText(file);
    const [first] = node.typeArguments ?? [];
    if (/^(Partial|Required|Readonly|NonNullable|Pick|Omit|Extract)$/.test(name) && first) {
      add({ node: first, file });
    } else {
      const declared = declarationOf(name, file);
      if (declared) add(declared);
      else isOpen = true;
    }
  }
  return { members, isOpen };
}

/** Returns the names in a type, and in the types that it extends or refers to: `PanelOptions`. */
export function namesIn({ node, file }: Placed<ts.Node>, names = new Set<string>()): Set<string> {
  visit(node, (each) => {
    if (!ts.isIdentifier(each) || names.has(each.text)) return;
    names.add(each.text);
    const declared = declarationOf(each.text, file);
    if (declared === undefined) return;
    const { node: of, file: at } = declared;
    const types = ts.isInterfaceDeclaration(of) ? (of.heritageClauses ?? []) : [of];
    for (const type of types) namesIn({ node: type, file: at }, names);
  });
  return names;
}

function declarationOf(name: string, file: ts.SourceFile): Placed<ts.Node> | undefined {
  const node = file.statements.find(
    (each): each is ts.InterfaceDeclaration | ts.TypeAliasDeclaration =>
      (ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each)) &&
      each.name.text === name,
  );
  return node ? { node, file } : followed(name, file, declarationOf);
}

/** Finds a name in the file that it is imported from. */
function followed<Found>(
  name: string,
  file: ts.SourceFile,
  find: (name: string, file: ts.SourceFile) => Found | undefined,
): Found | undefined {
  for (const { importClause, moduleSpecifier } of file.statements.filter(ts.isImportDeclaration)) {
    const bindings = importClause?.namedBindings;
    const from = (moduleSpecifier as ts.StringLiteral).text;
    if (!bindings || !ts.isNamedImports(bindings) || !from.startsWith('.')) continue;
    const imported = bindings.elements.find((each) => each.name.text === name);
    if (!imported) continue;
    const path = join(dirname(file.fileName), from.replace(/\.js$/, '.ts'));
    return find((imported.propertyName ?? imported.name).text, parse(path));
  }
  return undefined;
}

/** Returns the object literal of a table or of a part of a table. */
function objectIn(
  expression: ts.Expression,
  file: ts.SourceFile,
): Placed<ts.ObjectLiteralExpression> | undefined {
  const value = ts.isIdentifier(expression)
    ? valueOf(expression.text, file)
    : { node: expression, file };
  const node = value && (ts.isSatisfiesExpression(value.node) ? value.node.expression : value.node);
  return node && ts.isObjectLiteralExpression(node) ? { node, file: value.file } : undefined;
}

function asTable({ node, file }: Placed<ts.Node>): FoundTable | undefined {
  if (!ts.isSatisfiesExpression(node) || !ts.isObjectLiteralExpression(node.expression)) return;
  if (!ts.isTypeReferenceNode(node.type) || node.type.typeName.getText(file) !== 'OptionTable')
    return;
  const [type] = node.type.typeArguments ?? [];
  if (!type) return undefined;
  const name = `${relative(root, file.fileName)}: ${type.getText(file).replace(/\s+/g, ' ')}`;
  return { node: node.expression, file, name, type: { node: type, file } };
}

/** Returns true if an identifier is the name of a property. */
function isNameOf(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node)
  );
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .flatMap((lib) => {
      const src = join(root, folder, lib, 'src');
      return readdirSync(src, { recursive: true, encoding: 'utf8' }).map((path) => join(src, path));
    })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'));
}

const parsed = new Map<string, ts.SourceFile>();

function parse(path: string): ts.SourceFile {
  const known = parsed.get(path);
  if (known) return known;
  const text = readFileSync(path, 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  parsed.set(path, file);
  return file;
}
