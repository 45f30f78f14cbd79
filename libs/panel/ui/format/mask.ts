/** Hides the middle of a header value: "Bearer demo-…-ada". Short values are hidden completely. */
export function masked(value: string): string {
  const [, scheme = '', secret = ''] = /^(\w+ +)?(.*)$/s.exec(value) ?? [];
  if (secret.length < 12) return `${scheme}${secret === '' ? '' : '…'}`;
  return `${scheme}${secret.slice(0, 5)}…${secret.slice(-4)}`;
}
