import { isLossyType, quoteIdentifier } from '../sql-names.js';

/** The column and the setting that a policy must compare. */
export interface AuditedNames {
  readonly column: string;
  readonly setting: string;
}

/**
 * The rows that a condition allows. `tenant`: only rows of the tenant. `widened`: an OR adds rows
 * without a tenant, or rows of a fixed tenant. `unrecognized`: the condition contains the column
 * and the setting, but has an unknown form. `without`: the condition lacks the column or the
 * setting.
 */
export type ConditionKind = 'tenant' | 'widened' | 'unrecognized' | 'without';

/** @param condition the output of `pg_get_expr`. Each operator is in parentheses */
export function classifyCondition(condition: string, names: AuditedNames): ConditionKind {
  const tokens = tokensOf(condition);
  const kind = kindOf(tokens, names);
  if (kind === 'tenant' || kind === 'widened') return kind;
  const named = tokens.some((token) => isColumn([token], names.column));
  return named && tokens.some((token) => isSettingName(token, names.setting))
    ? 'unrecognized'
    : 'without';
}

type Tokens = readonly string[];

/** Tokens are strings, quoted names, words, casts and single characters. */
function tokensOf(condition: string): Tokens {
  return condition.match(/'(?:[^']|'')*'|"(?:[^"]|"")*"|[\w$]+|::|\S/g) ?? [];
}

/** `shared`: rows without a tenant, or rows of a fixed tenant. */
type PartKind = 'tenant' | 'widened' | 'shared' | undefined;

function kindOf(tokens: Tokens, names: AuditedNames): PartKind {
  const inner = unwrapped(tokens);
  for (const operator of ['OR', 'AND'] as const) {
    const parts = splitAt(inner, operator);
    if (parts.length === 1) continue;
    const kinds = parts.map((part) => kindOf(part, names));
    return operator === 'OR' ? anyOf(kinds) : allOf(kinds);
  }
  return isOwn(inner, names) ? 'tenant' : isShared(inner, names.column) ? 'shared' : undefined;
}

/** An unknown branch may allow the rows of all tenants. */
function anyOf(kinds: readonly PartKind[]): PartKind {
  if (kinds.includes(undefined)) return undefined;
  return kinds.every((kind) => kind === 'shared') ? 'shared' : 'widened';
}

function allOf(kinds: readonly PartKind[]): PartKind {
  return (['tenant', 'shared', 'widened'] as const).find((kind) => kinds.includes(kind));
}

function isOwn(tokens: Tokens, { column, setting }: AuditedNames): boolean {
  const [left, right, ...more] = splitAt(tokens, '=');
  if (left === undefined || right === undefined || more.length > 0) return false;
  return (
    (isColumn(left, column) && isTenant(right, setting)) ||
    (isColumn(right, column) && isTenant(left, setting))
  );
}

/** Such as `tenant_id IS NULL` or `tenant_id = 'shared'::text`. */
function isShared(tokens: Tokens, column: string): boolean {
  if (tokens.slice(-2).join(' ') === 'IS NULL') return isColumn(tokens.slice(0, -2), column);
  const [left, right, ...more] = splitAt(tokens, '=');
  if (left === undefined || right === undefined || more.length > 0) return false;
  const [[value = '', ...others] = [], ...casts] = splitAt(unwrapped(right), '::');
  const isLiteral = /^(?:'|\d+$)/.test(value) && others.length === 0;
  return isColumn(left, column) && isLiteral && casts.every(isFaithful);
}

/** A cast to text is allowed. Other casts could make two tenants equal. */
function isColumn(tokens: Tokens, column: string): boolean {
  const inner = unwrapped(tokens);
  const [value, cast, ...more] = splitAt(inner, '::');
  if (cast !== undefined && value !== undefined) {
    return more.length === 0 && cast.join() === 'text' && isColumn(value, column);
  }
  return (
    inner.length === 1 && (inner[0] === column || inner[0] === quoteIdentifier(column, 'column'))
  );
}

/** The setting may be in NULLIF, in a subquery or in a cast. */
function isTenant(tokens: Tokens, setting: string): boolean {
  const inner = unwrapped(tokens);
  if (inner[0] === 'SELECT' && inner.at(-2) === 'AS') return isTenant(inner.slice(1, -2), setting);
  const [value, ...casts] = splitAt(inner, '::');
  if (casts.length > 0) return casts.every(isFaithful) && isTenant(value ?? [], setting);
  const call = argumentsOf(inner);
  if (call === undefined) return false;
  const [first = [], second] = call.args;
  if (call.name === 'NULLIF') return second?.join('') === `''::text` && isTenant(first, setting);
  if (call.name !== 'current_setting' || !isSettingName(first[0] ?? '', setting)) return false;
  return first.slice(1).join('') === '::text' && (second === undefined || second.join() === 'true');
}

function isFaithful(type: Tokens): boolean {
  const name = type.join(' ');
  return /^[\w ]+$/.test(name) && !isLossyType(name);
}

/** Names of settings are case-insensitive. */
function isSettingName(token: string, setting: string): boolean {
  return token.toLowerCase() === `'${setting.toLowerCase()}'`;
}

function argumentsOf(tokens: Tokens): { name: string; args: Tokens[] } | undefined {
  const [name, ...list] = tokens;
  const inner = unwrapped(list);
  if (name === undefined || inner.length === list.length) return undefined;
  return { name, args: splitAt(inner, ',') };
}

/** Removes parentheses around the whole expression. */
function unwrapped(tokens: Tokens): Tokens {
  if (tokens[0] !== '(') return tokens;
  let depth = 0;
  const end = tokens.findIndex((token) => (depth += depthOf(token)) === 0);
  return end === tokens.length - 1 ? unwrapped(tokens.slice(1, -1)) : tokens;
}

/** Splits the tokens at one kind of token. Ignores tokens in parentheses. */
function splitAt(tokens: Tokens, separator: string): Tokens[] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    depth += depthOf(token);
    if (depth === 0 && token === separator) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

function depthOf(token: string): number {
  return token === '(' ? 1 : token === ')' ? -1 : 0;
}
