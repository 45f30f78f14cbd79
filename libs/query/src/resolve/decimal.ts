const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Writes a decimal number without an exponent. JavaScript and decimal.js return strings such as
 * `1e+21`. Returns undefined for other strings.
 */
export function plainDecimal(text: string): string | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const minus = sign === '-' ? '-' : '';
  const shift = Number(exponent);
  if (shift === 0) return minus + whole + (fraction && `.${fraction}`);
  const digits = whole + fraction;
  const point = whole.length + shift;
  if (point <= 0) return `${minus}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return minus + digits.padEnd(point, '0');
  return `${minus}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/**
 * Returns the smallest type `decimal(precision, scale)` for a decimal. MySQL and MariaDB compare a
 * decimal column with a string as floating point. With `cast(? as decimal(...))`, they compare
 * digit by digit. Returns undefined for NaN and Infinity, and beyond MySQL's limits (65 digits, 30
 * after the point).
 */
export function decimalTypeOf(text: string): string | undefined {
  const [, , whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const scale = fraction.replace(/0+$/, '').length;
  const precision = Math.max(whole.replace(/^0+/, '').length + scale, 1);
  return precision <= 65 && scale <= 30 ? `decimal(${precision}, ${scale})` : undefined;
}
