let shown: string[] = [];

/** Prints a result, and keeps it for the page of results. */
export function show(text: string): void {
  console.log(text);
  shown.push(text);
}

/** Returns what was shown since the last call. */
export function takeShown(): string {
  const text = shown.join('\n');
  shown = [];
  return text;
}
