import { isRecord, parsedJson } from '@fledge-internal/ui/json';
import type { PanelCall } from '../../src/panel.api.js';
import { quantile } from './number.js';

/** Milliseconds above which a call counts as slow. */
export const SLOW_MS = 30;

export type Shown = 'all' | 'failed' | 'slow';

/**
 * How a call is colored: failures that the caller caused are warnings, failures of the application
 * are errors.
 */
export type Severity = 'ok' | 'warn' | 'err';

export function severityOf({ outcome, status }: PanelCall): Severity {
  if (status !== undefined && status >= 500) return 'err';
  if (status !== undefined && status >= 400) return 'warn';
  if (outcome === 'ok') return 'ok';
  return /time|error|abort|fault/i.test(outcome) && status === undefined ? 'err' : 'warn';
}

/**
 * Returns the status for the table: the HTTP status if the route ran, otherwise how the call ended.
 */
export function statusText({ status, outcome }: PanelCall): string {
  return status === undefined ? outcome : String(status);
}

/**
 * Returns why a call failed. If the error is a JSON body with a `message`, returns only the
 * message.
 */
export function errorText({ error }: PanelCall): string | undefined {
  const body = parsedJson(error?.text ?? '');
  const message = isRecord(body) ? body['message'] : undefined;
  return typeof message === 'string' ? message : error?.text;
}

function hasFailed(call: PanelCall): boolean {
  return severityOf(call) !== 'ok';
}

/**
 * Returns the calls that match every word of a filter. A word such as `acme` is searched in all
 * columns, `tenant:acme` in one column.
 * @returns the calls, newest first
 */
export function filtered(
  calls: readonly PanelCall[],
  { text, shown }: { readonly text: string; readonly shown: Shown },
): readonly PanelCall[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return calls
    .filter((call) => isShown(call, shown) && words.every((word) => hasWord(call, word)))
    .toReversed();
}

function isShown(call: PanelCall, shown: Shown): boolean {
  if (shown === 'failed') return hasFailed(call);
  return shown === 'all' || call.ms > SLOW_MS;
}

function hasWord(call: PanelCall, word: string): boolean {
  const columns = columnsOf(call);
  const colon = word.indexOf(':');
  const column = colon > 0 ? columns.get(word.slice(0, colon)) : undefined;
  if (column !== undefined) return column.includes(word.slice(colon + 1));
  return [...columns.values()].some((value) => value.includes(word));
}

function columnsOf(call: PanelCall): Map<string, string> {
  const { tool, client, tenant, user, error } = call;
  return new Map(
    Object.entries({
      tool,
      status: statusText(call),
      client,
      tenant,
      user,
      error: error?.text,
    }).map(([name, value]) => [name, (value ?? '').toLowerCase()]),
  );
}

/**
 * A column of the chart: how many calls began in its time span, how many of them failed, and how
 * many failed with an error of the application.
 */
export interface Bin {
  readonly calls: number;
  readonly failed: number;
  readonly errors: number;
}

/** Counts calls in equal time spans. The last span ends at `now`. */
export function binsOf(
  calls: readonly PanelCall[],
  { now, binMs, count }: { readonly now: number; readonly binMs: number; readonly count: number },
): readonly Bin[] {
  const bins = Array.from({ length: count }, () => ({ calls: 0, failed: 0, errors: 0 }));
  for (const call of calls) {
    const bin = bins[count - 1 - Math.floor(Math.max(0, now - Date.parse(call.at)) / binMs)];
    if (!bin) continue;
    bin.calls++;
    if (hasFailed(call)) bin.failed++;
    if (severityOf(call) === 'err') bin.errors++;
  }
  return bins;
}

/** Returns the figures above the table. */
export function figuresOf(calls: readonly PanelCall[]): {
  readonly failed: number;
  /** The worst severity among the calls. */
  readonly worst: Severity;
  readonly median: number;
  readonly p95: number;
} {
  const times = calls.map(({ ms }) => ms);
  const severities = new Set(calls.map(severityOf));
  return {
    worst: severities.has('err') ? 'err' : severities.has('warn') ? 'warn' : 'ok',
    failed: calls.filter(hasFailed).length,
    median: quantile(times, 0.5),
    p95: quantile(times, 0.95),
  };
}
