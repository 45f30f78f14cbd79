// A default stands in a table of options, for the code, and in the comment of the option, for its readers.
import { expect, it } from '@jest/globals';
import ts from 'typescript';
import {
  defaultIn,
  findTables,
  type FoundTable,
  membersOf,
  type Placed,
  rulesOf,
  valueOf,
} from '../support/option-tables.js';

const LITERAL = /^('[^']*'|-?[\d_.]+|true|false|\[.*\]|\/.*\/\w*)( \([^)]*\))?$/;

it('the defaults in comments are those of the tables', () => {
  const tables = findTables();
  expect(tables.length).toBeGreaterThan(40);
  expect(tables.flatMap(faultsIn)).toEqual([]);
});

function faultsIn(table: FoundTable): string[] {
  const { members, isOpen } = membersOf(table.type);
  return [...rulesOf(table)].flatMap(([name, rule]) => {
    const member = members.get(name);
    if (!member) return isOpen ? [] : [`${table.name}: there is no option ${name}`];
    const written = defaultOf(member);
    const value = defaultIn(rule);
    const fault = value ? faultOf(member, value) : literalFault(written, rule);
    return fault === undefined ? [] : [`${table.name}: ${name} ${fault}`];
  });
}

/** A rule of its own may apply a default in code. */
function literalFault(written: string | undefined, rule: Placed<ts.Expression>) {
  if (written === undefined || !LITERAL.test(written)) return undefined;
  if (!/\.optional$/.test(textOf(rule))) return undefined;
  return `has @default ${written}, which its table does not have`;
}

function faultOf(member: ts.TypeElement, { node, file }: Placed<ts.Expression>) {
  const written = defaultOf(member);
  const value = textOf({ node, file });
  // The pages of options show an inline type as it is written, so it has no comments.
  if (ts.isTypeLiteralNode(member.parent)) return undefined;
  if (written === undefined) return `has no @default, but its table has ${value}`;
  if (canonical(written) === canonical(value)) return undefined;
  if (canonical(value) !== '' && canonical(written).startsWith(`${canonical(value)},`))
    return undefined;
  // What an empty list means, and what is computed, is said in words.
  const needsWords = value === '[]' || value === '{}' || isComputed({ node, file });
  if (needsWords && !LITERAL.test(written)) return undefined;
  return `has @default ${written}, but its table has ${value}`;
}

function defaultOf(member: ts.TypeElement): string | undefined {
  const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === 'default');
  return tag && (ts.getTextOfJSDocComment(tag.comment) ?? '').replace(/\s+/g, ' ').trim();
}

/** The source of a value, with constants replaced by theirs. */
function textOf({ node, file }: Placed<ts.Expression>): string {
  if (ts.isIdentifier(node)) {
    const value = valueOf(node.text, file);
    return value ? textOf(value) : node.text;
  }
  return node.getText(file).replace(/\s+/g, ' ');
}

/** Whether a value is a function, or something like `Number.MAX_SAFE_INTEGER`. */
function isComputed({ node, file }: Placed<ts.Expression>): boolean {
  if (ts.isIdentifier(node)) return valueOf(node.text, file) === undefined;
  return ts.isArrowFunction(node) || ts.isPropertyAccessExpression(node);
}

/** Without what only comments or only sources have: quotes, brackets, underscores in numbers, `(1 MiB)`. */
function canonical(text: string): string {
  return text
    .replace(/\['(\w+)'\]/g, '.$1')
    .replace(/ \([^)]*\)$/, '')
    .replace(/[`'"[\]]/g, '')
    .replace(/(\d)_(?=\d)/g, '$1')
    .replace(/,? *$/, '')
    .trim();
}
