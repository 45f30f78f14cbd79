const GROUPED = new Intl.NumberFormat('en');

/** 1414 → "1,414". */
export function countOf(value: number): string {
  return GROUPED.format(value);
}

/** Bytes with a unit: "303 B", "3.8 kB". */
export function bytesOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Milliseconds without a unit: below 10 with one decimal unless whole. */
export function msOf(ms: number): string {
  if (ms < 0.05) return '0';
  return ms < 10 && !Number.isInteger(ms) ? ms.toFixed(1) : countOf(Math.round(ms));
}

/** Tokens of a text, by the rule of thumb that clients use: bytes divided by four. */
export function tokensOf(bytes: number): number {
  return Math.round(bytes / 4);
}

/** How many bytes a text has in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** "1 tool", "6 tools". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countOf(count)} ${count === 1 ? one : many}`;
}

/**
 * The value below which the given share of the values lies; 0 without values.
 * @param share from 0 to 1
 */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return 0;
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
