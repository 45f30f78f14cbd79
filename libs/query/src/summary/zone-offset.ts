import { offsetFormatOf } from '../config/time-zone.js';

/** Returns a time zone's offset from UTC at an instant. Both are in milliseconds. */
export type OffsetAt = (instant: number) => number;

export function offsetsOf(timeZone: string): OffsetAt {
  const format = offsetFormatOf(timeZone);
  if (format === undefined || format.resolvedOptions().timeZone === 'UTC') return () => 0;
  return (instant) => {
    const parts = format.formatToParts(instant);
    const { value = '' } = parts.find(({ type }) => type === 'timeZoneName') ?? {};
    // The format is GMT or GMT+05:30. Old offsets also have seconds: GMT-03:30:52.
    const [, sign, hours, minutes, seconds = '0'] = OFFSET.exec(value) ?? [];
    if (sign === undefined) return 0;
    const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
    return (sign === '-' ? -size : size) * 1000;
  };
}

const OFFSET = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/;
