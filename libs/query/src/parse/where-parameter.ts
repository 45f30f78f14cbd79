import type { AllowLists } from '../config/allow-lists.js';
import type { OptInOperator } from '../config/operators.js';
import type { ResolvedQueryOptions } from '../query.defaults.js';
import type { QueryProblem } from '../query.errors.js';
import { type AnyFilter, allowedOperator, findExcess, notAllowed } from './filter-parameter.js';
import { type Findings, shortened } from './findings.js';
import type { WhereNode } from './parsed-query.js';
import { MAX_WHERE_DEPTH } from './where-syntax.js';
import { membersOf } from './query-parameters.js';

type AnyNode = WhereNode<string, OptInOperator>;

/**
 * Reads `where`. Several parameters are combined by AND. Every error rejects the query. Without a
 * condition, `or` would return fewer rows, and `and` would return more rows.
 */
export function readWhere(
  value: unknown,
  lists: AllowLists,
  options: ResolvedQueryOptions,
  findings: Findings,
): AnyNode | undefined {
  const members = membersOf(value);
  if (members.length === 0) return undefined;
  const reader = new WhereReader(lists, options, findings);
  const nodes: AnyNode[] = [];
  for (const member of members) {
    const node = reader.read(typeof member === 'string' ? member.toWellFormed() : '');
    if (node !== undefined) nodes.push(node);
    if (reader.isFull) break;
  }
  return nodes.length > 1 ? { and: nodes } : nodes[0];
}

/**
 * Parses values of `where`: `field:operator:value`, `or(a,b)`, `and(a,b)`, `not(a)`. A value that
 * contains one of `( ) , "` must be in quotes. In quotes, write `\"` for a quote and `\\` for a
 * backslash. Each string is read once, from left to right.
 */
class WhereReader {
  private text = '';
  private at = 0;
  private nodes = 0;

  constructor(
    private readonly lists: AllowLists,
    private readonly options: ResolvedQueryOptions,
    private readonly findings: Findings,
  ) {}

  get isFull(): boolean {
    return this.nodes > this.options.maxFilters;
  }

  /** Returns undefined after a syntax error. */
  read(text: string): AnyNode | undefined {
    this.text = text;
    this.at = 0;
    const node = this.term(0);
    if (node === undefined) return undefined;
    this.skipBlanks();
    if (this.at < text.length) return this.malformed(`the end of the condition, or ${QUOTES}`);
    return node;
  }

  private term(depth: number): AnyNode | undefined {
    this.skipBlanks();
    this.nodes++;
    if (this.isFull) {
      const { maxFilters } = this.options;
      return this.fault('too-many', `at most ${maxFilters} conditions and groups`);
    }
    const [start, group] = this.match(GROUP) ?? [];
    if (start === undefined) return this.leaf();
    if (group === undefined) return this.malformed('or(...), and(...) or not(...)');
    if (depth === MAX_WHERE_DEPTH) {
      return this.fault('too-deep', `groups nested up to ${MAX_WHERE_DEPTH} levels deep`);
    }
    this.at += start.length;
    if (group !== 'not') {
      const nodes = this.members(depth + 1);
      if (nodes === undefined) return undefined;
      return group === 'or' ? { or: nodes } : { and: nodes };
    }
    const not = this.term(depth + 1);
    if (not === undefined) return undefined;
    this.skipBlanks();
    if (this.text[this.at] !== ')') return this.malformed('a closing parenthesis');
    this.at++;
    return { not };
  }

  /** Reads the items of a group and the closing parenthesis. */
  private members(depth: number): AnyNode[] | undefined {
    const nodes: AnyNode[] = [];
    for (;;) {
      const node = this.term(depth);
      if (node === undefined) return undefined;
      nodes.push(node);
      this.skipBlanks();
      const next = this.text[this.at];
      if (next !== ',' && next !== ')') {
        return this.malformed(`a comma, a closing parenthesis, or ${QUOTES}`);
      }
      this.at++;
      if (next === ')') return nodes;
    }
  }

  private leaf(): AnyNode | undefined {
    const start = this.at;
    const [begin, field = '', name = ''] = this.match(LEAF) ?? [];
    if (begin === undefined) {
      return this.malformed('field:operator:value, or(...), and(...) or not(...)');
    }
    this.at += begin.length;
    this.skipBlanks();
    const from = this.at;
    const value = this.text[from] === '"' ? this.quoted() : this.bare();
    if (value === undefined) return undefined;
    const { lists, options } = this;
    const operator = allowedOperator(field, name, lists, options);
    if (operator === undefined) {
      return this.refused({ ...notAllowed(field, name, lists), at: start });
    }
    const item: AnyFilter = { field, operator, value };
    const excess = value === '' ? ({ reason: 'empty-value' } as const) : findExcess(item, options);
    if (excess === undefined) return item;
    return this.refused({ field: shortened(field), operator, ...excess, at: from });
  }

  /** Reads a value up to the next character that must be quoted, and trims blanks. */
  private bare(): string {
    const [value = ''] = this.match(BARE) ?? [];
    this.at += value.length;
    let end = value.length;
    while (value[end - 1] === ' ') end--;
    return value.slice(0, end);
  }

  /** Reads a value in quotes, and the closing quote. */
  private quoted(): string | undefined {
    const [quoted, value] = this.match(QUOTED) ?? [];
    this.at = quoted === undefined ? this.text.length : this.at + quoted.length;
    return value?.replace(/\\(["\\])/g, '$1') ?? this.malformed('a closing quote');
  }

  private skipBlanks(): void {
    while (this.text[this.at] === ' ') this.at++;
  }

  /** Matches a sticky pattern at the current position. */
  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text);
  }

  private malformed(expected: string): undefined {
    return this.fault('malformed', expected);
  }

  /** Rejects the query for a syntax error. Parsing stops. */
  private fault(reason: QueryProblem['reason'], expected: string): undefined {
    this.findings.refuse({ kind: 'where', reason, at: this.at, expected });
  }

  /** Rejects the query for a condition. Parsing continues, so that further problems are found. */
  private refused(problem: Omit<QueryProblem, 'kind'>): AnyNode {
    this.findings.refuse({ kind: 'where', ...problem });
    return REFUSED;
  }
}

/** Matches the start of a group. `some` and `none` are reserved for conditions on related rows. */
const GROUP = /(?:(or|and|not)|some|none)\(/y;
/** Matches `field:operator:`. */
const LEAF = /([^:(),"]+):([^:(),"]*):/y;
const BARE = /[^(),"]*/y;
const QUOTED = /"((?:[^"\\]|\\["\\]|\\(?!["\\]))*)"/y;

const QUOTES = 'double quotes around a value that contains ( ) , or "';

/** Replaces a rejected condition. Callers never receive it, because the query is rejected. */
const REFUSED: AnyNode = { and: [] };
