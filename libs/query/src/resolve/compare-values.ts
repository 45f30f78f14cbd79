import { type ColumnValue, comparedType, type QueryColumn } from './column.js';
import { plainDecimal } from './decimal.js';

/** Compares like PostgreSQL if engines differ. NaN equals NaN, and exceeds all other numbers. */
export function compareValues(a: ColumnValue, b: ColumnValue, column: QueryColumn): number {
  switch (comparedType(column)) {
    case 'string':
    case 'enum':
      return compareTexts(String(a), String(b));
    case 'number':
      return compareNumbers(Number(a), Number(b));
    case 'decimal':
      return compareDecimals(String(a), String(b));
    case 'date':
      return compareNumbers(dayNumber(String(a)), dayNumber(String(b)));
    case 'time':
      return compareNumbers(microsecondsOf(String(a)), microsecondsOf(String(b)));
    case 'timestamp':
      return compareNumbers(momentOf(a), momentOf(b));
    case 'uuid':
    case 'objectId':
      return compare(String(a).toLowerCase(), String(b).toLowerCase());
    case 'integer':
    case 'bigint':
    case 'boolean':
      return compare(a, b);
  }
}

function compare<T extends ColumnValue>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareNumbers(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return compare(a, b);
}

/**
 * Compares by code point, like databases with UTF-8. JavaScript compares UTF-16, which puts emoji
 * before some letters.
 */
function compareTexts(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  // The whole pairs are compared, because two emoji may have the same first UTF-16 unit.
  if (i > 0 && (a.charCodeAt(i - 1) & 0xfc00) === 0xd800) i--;
  return (a.codePointAt(i) ?? -1) - (b.codePointAt(i) ?? -1);
}

/** PostgreSQL's `infinity` is a number or a string. */
function momentOf(value: ColumnValue): number {
  return value instanceof Date ? value.getTime() : infinityOf(String(value));
}

function dayNumber(text: string): number {
  const [, year, month, day, era] = /^(\d+)-(\d\d)-(\d\d)( BC)?$/.exec(text) ?? [];
  if (year === undefined) return infinityOf(text);
  const counted = era === undefined ? Number(year) : 1 - Number(year);
  return (counted * 12 + Number(month)) * 31 + Number(day);
}

function infinityOf(text: string): number {
  return text.startsWith('-') ? -Infinity : Infinity;
}

function microsecondsOf(time: string): number {
  const [hours = '0', minutes = '0', seconds = '0'] = time.replace('-', '').split(':');
  const size =
    (Number(hours) * 60 + Number(minutes)) * 60_000_000 + Math.round(Number(seconds) * 1e6);
  return time.startsWith('-') ? -size : size;
}

/** Compares digit by digit. Numbers would be rounded. */
function compareDecimals(a: string, b: string): number {
  const [left, right] = [plainDecimal(a), plainDecimal(b)];
  if (left === undefined || right === undefined) return compareNumbers(Number(a), Number(b));
  return comparePlain(partsOf(left), partsOf(right));
}

interface DecimalParts {
  readonly sign: number;
  readonly whole: string;
  readonly fraction: string;
}

function comparePlain(left: DecimalParts, right: DecimalParts): number {
  if (left.sign !== right.sign) return left.sign < right.sign ? -1 : 1;
  const width = Math.max(left.whole.length, right.whole.length);
  const l = left.whole.padStart(width, '0') + left.fraction;
  const r = right.whole.padStart(width, '0') + right.fraction;
  // Removes trailing zeros. A shorter fraction is then a prefix, so string order is numeric order.
  if (l === r) return 0;
  return l < r ? -left.sign : left.sign;
}

function partsOf(decimal: string): DecimalParts {
  const [whole = '', fraction = ''] = decimal.replace(/^[+-]/, '').split('.');
  const digits = { whole: whole.replace(/^0+/, ''), fraction: fraction.replace(/0+$/, '') };
  const isZero = digits.whole === '' && digits.fraction === '';
  return { sign: isZero ? 0 : decimal.startsWith('-') ? -1 : 1, ...digits };
}
