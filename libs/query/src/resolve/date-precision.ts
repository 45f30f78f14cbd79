import type { QueryColumn } from './column.js';

/**
 * Whether cursors can hold a timestamp that the driver returns as a Date, which has milliseconds. With more digits, the
 * last row of a page would be the first one of the next page too.
 * @param digits of the fraction of a second that the column stores
 */
export function cursorsOfDates(digits: number): Pick<QueryColumn, 'hasCursors'> {
  return digits > 3 ? { hasCursors: false } : {};
}
