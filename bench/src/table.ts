import type { Measurement } from './target.js';

export interface Row {
  readonly name: string;
  readonly rounds: readonly Measurement[];
}

/** A Markdown table of medians, each beside its ratio to the first row. */
export function tableOf(title: string, rows: readonly Row[]): string {
  const base = rows[0] ? cpuOf(rows[0]) : 1;
  const lines = rows.map((row) => {
    const cpu = cpuOf(row);
    const perSecond = median(row.rounds.map((round) => round.perSecond));
    return `| ${row.name} | ${cpu.toFixed(0)} | ${(cpu / base).toFixed(2)} | ${perSecond.toFixed(0)} |`;
  });
  return [
    `| ${title} | CPU µs per request | ratio | req/s |`,
    '|---|---:|---:|---:|',
    ...lines,
  ].join('\n');
}

function cpuOf({ rounds }: Row): number {
  return median(rounds.map((round) => round.cpuMicros));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
