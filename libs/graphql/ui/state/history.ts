import { isRecord } from '@fledge-internal/ui/json';
import { stored } from '@fledge-internal/ui/stored';
import { endpointPath } from '../api/endpoint.js';

/** An operation that was run. Headers are not stored, because they may be credentials. */
export interface PastRun {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
  readonly variables: string;
}

/** Maximum number of stored operations. */
const KEPT = 50;

/** The operations that were run, the latest first. */
export const pastRuns = stored(() => localStorage, `graphql.${endpointPath}.history`, runsIn);

function runsIn(value: unknown): readonly PastRun[] {
  return Array.isArray(value) ? value.filter(isRun) : [];
}

function isRun(value: unknown): value is PastRun {
  return (
    isRecord(value) &&
    typeof value['at'] === 'number' &&
    typeof value['text'] === 'string' &&
    typeof value['variables'] === 'string'
  );
}

/** Adds an operation. If it was run before, it moves to the top. */
export function remember(text: string, variables: string): void {
  const others = pastRuns.value.filter((run) => run.text !== text || run.variables !== variables);
  pastRuns.value = [{ at: Date.now(), text, variables }, ...others].slice(0, KEPT);
}
