import type { ColumnValue, QueryColumn } from '../resolve/column.js';

/** The order of two values of one column: negative, zero or positive. */
export function compareValues(a: ColumnValue, b: ColumnValue, { type }: QueryColumn): number {
  if (type === 'decimal') return compareDecimals(String(a), String(b));
  const [left, right] = [comparable(a), comparable(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function comparable(value: ColumnValue): string | number | bigint | boolean {
  return value instanceof Date ? value.getTime() : value;
}

/** Digit by digit: a number would round what a decimal column does not. */
function compareDecimals(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  if (left.sign !== right.sign) return left.sign < right.sign ? -1 : 1;
  const width = Math.max(left.whole.length, right.whole.length);
  const l = left.whole.padStart(width, '0') + left.fraction;
  const r = right.whole.padStart(width, '0') + right.fraction;
  // The shorter fraction is a prefix, and trailing zeros are gone, so text order is number order.
  if (l === r) return 0;
  return l < r ? -left.sign : left.sign;
}

function partsOf(decimal: string): { sign: number; whole: string; fraction: string } {
  const [whole = '', fraction = ''] = decimal.replace(/^[+-]/, '').split('.');
  const digits = { whole: whole.replace(/^0+/, ''), fraction: fraction.replace(/0+$/, '') };
  const isZero = digits.whole === '' && digits.fraction === '';
  return { sign: isZero ? 0 : decimal.startsWith('-') ? -1 : 1, ...digits };
}
