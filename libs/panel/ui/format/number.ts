const GROUPED = new Intl.NumberFormat('en');

/** Formats a count: 1414 becomes "1,414". */
export function countOf(value: number): string {
  return GROUPED.format(value);
}

/** Formats a size with its unit: "303 B", "3.8 kB". */
export function bytesOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Formats milliseconds without a unit. Values below 10 have one decimal, unless they are whole. */
export function msOf(ms: number): string {
  if (ms < 0.05) return '0';
  return ms < 10 && !Number.isInteger(ms) ? ms.toFixed(1) : countOf(Math.round(ms));
}

/** Estimates the tokens of a text. Like clients, divides the bytes by four. */
export function tokensOf(bytes: number): number {
  return Math.round(bytes / 4);
}

/** Returns the size of a string in UTF-8, in bytes. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Formats a count with its noun: "1 tool", "6 tools". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countOf(count)} ${count === 1 ? one : many}`;
}

/**
 * Returns the value below which the given share of the values lies; 0 if there are no values.
 * @param share from 0 to 1
 */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return 0;
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
