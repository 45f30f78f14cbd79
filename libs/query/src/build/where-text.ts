import type { OptInOperator } from '../config/operators.js';
import type { WhereNode } from '../parse/parsed-query.js';
import { MAX_WHERE_DEPTH, needsQuotes } from '../parse/where-syntax.js';
import { refuseUnknownOperator } from './unknown-operator.js';
import { refuseEmptyGroup } from '../parse/empty-group.js';
import { UnbuildableQueryError } from '../query.errors.js';

type AnyNode = WhereNode<string, OptInOperator>;

/** Returns the values of `where`: a group `and` is split. @throws UnbuildableQueryError */
export function whereTexts(node: AnyNode): string[] {
  const nodes = 'and' in node && node.and.length > 1 ? node.and : [node];
  return nodes.map((each) => nodeText(each, 0).toWellFormed());
}

function nodeText(node: AnyNode, depth: number): string {
  if ('field' in node) return leafText(node);
  if (depth === MAX_WHERE_DEPTH) {
    throw new UnbuildableQueryError(
      'group',
      `Groups can be nested up to ${MAX_WHERE_DEPTH} levels deep. Merge some groups.`,
    );
  }
  if ('not' in node) return `not(${nodeText(node.not, depth + 1)})`;
  const kind = 'or' in node ? 'or' : 'and';
  const nodes = refuseEmptyGroup(kind, 'or' in node ? node.or : node.and);
  return `${kind}(${nodes.map((each) => nodeText(each, depth + 1)).join(',')})`;
}

function leafText({ field, operator, value }: Extract<AnyNode, { field: string }>): string {
  if (field === '' || field.includes(':') || needsQuotes(field)) {
    throw new UnbuildableQueryError(
      `\`where\` condition on "${field}"`,
      'Rename the field in the config: its name must not be empty, must not start or end with a ' +
        'space, and must not contain any of the characters `:(),"`.',
    );
  }
  if (value === '') {
    throw new UnbuildableQueryError(
      `\`where\` condition on "${field}" without a value`,
      'Remove the condition, or set its value.',
    );
  }
  refuseUnknownOperator('`where` condition', field, operator);
  return `${field}:${operator}:${valueText(value)}`;
}

function valueText(value: string): string {
  return needsQuotes(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value;
}
