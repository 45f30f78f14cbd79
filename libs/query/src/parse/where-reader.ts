import type { AllowLists } from '../config/allow-lists.js';
import type { OptInOperator } from '../config/operators.js';
import type { ResolvedQueryOptions } from '../query.defaults.js';
import type { QueryProblem } from '../query.errors.js';
import { type AnyFilter, allowedFilterOf, excessOf, notAllowed } from './filter-items.js';
import { type Findings, shortened } from './findings.js';
import type { WhereNode } from './parsed-query.js';
import {
  BACKSLASH,
  BLANK,
  CLOSE,
  COLON,
  COMMA,
  groupAt,
  isReserved,
  MAX_WHERE_DEPTH,
  QUOTE,
} from './where-syntax.js';

type AnyNode = WhereNode<string, OptInOperator>;

/**
 * Reads the texts of `where`: `field:operator:value`, `or(a,b)`, `and(a,b)`, `not(a)`. A value with `( ) , "` stands in
 * quotes, in which `\"` and `\\` are the escaped character. Reads a text once, from left to right.
 */
export class WhereReader {
  private text = '';
  private at = 0;
  private nodes = 0;

  constructor(
    private readonly lists: AllowLists,
    private readonly options: ResolvedQueryOptions,
    private readonly findings: Findings,
  ) {}

  /** True once there are more conditions and groups than allowed. */
  get isFull(): boolean {
    return this.nodes > this.options.maxFilters;
  }

  /** The condition of one `where`; undefined after a fault of its form. */
  read(text: string): AnyNode | undefined {
    this.text = text;
    this.at = 0;
    const node = this.term(0);
    if (node === undefined) return undefined;
    this.skipBlanks();
    if (this.at < text.length) return this.malformed(`the end, or ${QUOTES}`);
    return node;
  }

  private term(depth: number): AnyNode | undefined {
    this.skipBlanks();
    this.nodes++;
    if (this.isFull) {
      const { maxFilters } = this.options;
      return this.fault('too-many', `at most ${maxFilters} conditions and groups`);
    }
    const group = groupAt(this.text, this.at);
    if (group === undefined) return this.leaf();
    if (group === 'some' || group === 'none') return this.malformed('or(...), and(...), not(...)');
    if (depth === MAX_WHERE_DEPTH) {
      return this.fault('too-deep', `groups nested up to ${MAX_WHERE_DEPTH} deep`);
    }
    this.at += group.length + 1;
    if (group !== 'not') {
      const nodes = this.members(depth + 1);
      if (nodes === undefined) return undefined;
      return group === 'or' ? { or: nodes } : { and: nodes };
    }
    const not = this.term(depth + 1);
    if (not === undefined) return undefined;
    this.skipBlanks();
    if (this.text.charCodeAt(this.at) !== CLOSE) return this.malformed('a closing parenthesis');
    this.at++;
    return { not };
  }

  /** The members of a group, to behind its closing parenthesis. */
  private members(depth: number): AnyNode[] | undefined {
    const nodes: AnyNode[] = [];
    for (;;) {
      const node = this.term(depth);
      if (node === undefined) return undefined;
      nodes.push(node);
      this.skipBlanks();
      const next = this.text.charCodeAt(this.at);
      if (next !== COMMA && next !== CLOSE) {
        return this.malformed(`a comma, a closing parenthesis, or ${QUOTES}`);
      }
      this.at++;
      if (next === CLOSE) return nodes;
    }
  }

  private leaf(): AnyNode | undefined {
    const start = this.at;
    const first = this.colonFrom(start);
    const second = first <= start ? -1 : this.colonFrom(first + 1);
    if (second === -1) return this.malformed('field:operator:value, or(...), and(...), not(...)');
    this.at = second + 1;
    this.skipBlanks();
    const from = this.at;
    const value = this.text.charCodeAt(from) === QUOTE ? this.quoted() : this.bare();
    if (value === undefined) return undefined;
    const { text, lists, options } = this;
    const allowed = allowedFilterOf(text, { start, first, second }, lists, options);
    if (allowed === undefined) {
      const problem = notAllowed(text.slice(start, first), text.slice(first + 1, second), lists);
      return this.refused({ ...problem, at: start });
    }
    const { field, operator } = allowed;
    const item: AnyFilter = { field, operator, value };
    const excess = value === '' ? ({ reason: 'empty-value' } as const) : excessOf(item, options);
    if (excess === undefined) return item;
    return this.refused({ field: shortened(field), operator, ...excess, at: from });
  }

  /** The next colon; -1 if a character that no name contains comes before it. Stops there. */
  private colonFrom(start: number): number {
    for (let i = start; i < this.text.length; i++) {
      const char = this.text.charCodeAt(i);
      if (char === COLON) return i;
      if (isReserved(char)) break;
    }
    return -1;
  }

  /** A value to the next character that needs quotes, without the blanks around it. */
  private bare(): string {
    const { text, at } = this;
    let end = at;
    while (end < text.length && !isReserved(text.charCodeAt(end))) end++;
    this.at = end;
    while (end > at && text.charCodeAt(end - 1) === BLANK) end--;
    return text.slice(at, end);
  }

  /** A value in quotes, to behind the closing one. */
  private quoted(): string | undefined {
    const { text } = this;
    let value = '';
    let from = this.at + 1;
    for (let i = from; i < text.length; i++) {
      const char = text.charCodeAt(i);
      if (char === QUOTE) {
        this.at = i + 1;
        return value + text.slice(from, i);
      }
      if (char !== BACKSLASH) continue;
      const next = text.charCodeAt(i + 1);
      if (next !== QUOTE && next !== BACKSLASH) continue;
      value += text.slice(from, i);
      from = ++i;
    }
    this.at = text.length;
    return this.malformed('a closing quote');
  }

  private skipBlanks(): void {
    while (this.text.charCodeAt(this.at) === BLANK) this.at++;
  }

  private malformed(expected: string): undefined {
    return this.fault('malformed', expected);
  }

  /** Refuses the query for a fault after which the text cannot be read on. */
  private fault(reason: QueryProblem['reason'], expected: string): undefined {
    this.findings.refuse({ kind: 'where', reason, at: this.at, expected });
  }

  /** Refuses the query for a condition, and reads on for further problems. */
  private refused(problem: Omit<QueryProblem, 'kind'>): AnyNode {
    this.findings.refuse({ kind: 'where', ...problem });
    return REFUSED;
  }
}

const QUOTES = 'quotes around a value with ( ) , or "';

/** Stands for a refused condition. Not returned to callers, because the query is refused. */
const REFUSED: AnyNode = { and: [] };
