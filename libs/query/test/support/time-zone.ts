import { runInThisContext } from 'node:vm';

/**
 * Sets the time zone of this process; undefined is that of the machine. Jest gives specs a copy of `process.env`,
 * so this sets the real one.
 */
export function setTimeZone(zone: string | undefined): void {
  runInThisContext(
    zone === undefined ? 'delete process.env.TZ' : `process.env.TZ = ${JSON.stringify(zone)}`,
  );
}
