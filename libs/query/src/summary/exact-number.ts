import { plainDecimal } from '../resolve/decimal.js';

/** A decimal as an integer, with the number of digits after the point. */
interface Scaled {
  readonly digits: bigint;
  readonly scale: number;
}

/** Returns `9.5` for `9.50`. Returns other strings, such as `NaN`, unchanged. */
export function shortDecimal(text: string): string {
  const scaled = scaledOf(text);
  return scaled === undefined ? text : textOf(scaled);
}

/** Returns undefined if a string is not a decimal, such as `NaN`. */
export function sumOfDecimals(texts: readonly string[]): string | undefined {
  let sum: Scaled = { digits: 0n, scale: 0 };
  for (const text of texts) {
    const next = scaledOf(text);
    if (next === undefined) return undefined;
    const scale = Math.max(sum.scale, next.scale);
    sum = { digits: digitsAt(sum, scale) + digitsAt(next, scale), scale };
  }
  return textOf(sum);
}

const AVERAGE_SCALE = 10;

/** Returns an average with up to ten digits after the point. Rounds halves away from zero. */
export function averageOfDecimals(sum: string, count: number): string {
  const scaled = scaledOf(sum);
  if (scaled === undefined) return sum;
  // Computes twice the average. Halves are then whole numbers.
  const scale = Math.max(scaled.scale, AVERAGE_SCALE);
  const divisor = BigInt(count) * 10n ** BigInt(scale - AVERAGE_SCALE);
  const twice = (digitsAt(scaled, scale) * 2n) / divisor;
  const away = twice < 0n ? -1n : 1n;
  return textOf({ digits: (twice + away) / 2n, scale: AVERAGE_SCALE });
}

/** Keeps 12 significant digits. Databases add in different orders, so further digits differ. */
export function roundedFloat(value: number): number {
  return Number(value.toPrecision(12)) + 0;
}

function scaledOf(text: string): Scaled | undefined {
  const plain = plainDecimal(text);
  if (plain === undefined) return undefined;
  const [whole = '', fraction = ''] = plain.split('.');
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

function digitsAt({ digits, scale }: Scaled, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale);
}

function textOf({ digits, scale }: Scaled): string {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const fraction = scale === 0 ? '' : text.slice(-scale).replace(/0+$/, '');
  const whole = scale === 0 ? text : text.slice(0, -scale);
  return sign + whole + (fraction && `.${fraction}`);
}
