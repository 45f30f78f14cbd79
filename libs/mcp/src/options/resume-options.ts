import { type KnownOptions } from '@fledge/core/packages';
import { bad, positive } from './bad-option.js';

/** Event streams of revision 2025-11-25 that clients resume after a lost connection. */
export interface McpResumeOptions {
  /** Milliseconds after which a client connects again. Sent to the client. @default 1_000 */
  readonly retryMs?: number;
  /** Milliseconds that an event is kept. @default 60_000 */
  readonly keepMs?: number;
  /** Maximum number of events that are kept of a session. The oldest go first. @default 1_000 */
  readonly maxEvents?: number;
  /** Maximum bytes that are kept of a session. The oldest events go first. @default 1_048_576 */
  readonly maxBytes?: number;
}

/** The options of resumption after every default is applied. */
export type ResolvedResume = Required<McpResumeOptions>;

export const RESUME: KnownOptions<McpResumeOptions> = {
  retryMs: true,
  keepMs: true,
  maxEvents: true,
  maxBytes: true,
};

/** @throws McpOptionError for an invalid value */
export function resumeOf(
  resume: boolean | McpResumeOptions | undefined,
  place: string,
): ResolvedResume | undefined {
  if (resume === undefined || resume === false) return undefined;
  if (resume !== true && (typeof resume !== 'object' || resume === null)) {
    throw bad(place, resume, 'true, false or options');
  }
  const { retryMs, keepMs, maxEvents, maxBytes } = resume === true ? {} : resume;
  return {
    retryMs: positive(`${place}.retryMs`, retryMs ?? 1_000),
    keepMs: positive(`${place}.keepMs`, keepMs ?? 60_000),
    maxEvents: positive(`${place}.maxEvents`, maxEvents ?? 1_000),
    maxBytes: positive(`${place}.maxBytes`, maxBytes ?? 1_048_576),
  };
}
