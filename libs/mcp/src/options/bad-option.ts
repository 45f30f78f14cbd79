/** What an option with a count must be, for messages. */
export const COUNT = 'a whole number of at least 1';

export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}
