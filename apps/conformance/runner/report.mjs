import { LEFT_OUT } from './left-out.mjs';

const HEAD = ['revision', 'platform', 'scenarios', 'passed', 'failed', 'skipped'];
const LEFT = new Set(LEFT_OUT.flatMap(({ scenarios }) => scenarios));

/**
 * The summary of all runs, and whether everything is as it has to be.
 * @param runs each with what its revision requires, what else was run, and the checks by scenario
 */
export function report(runs) {
  const faults = runs.flatMap(faultsOf);
  const kept = new Set(runs.flatMap(keptOf));
  const lines = [
    'Required of a server:',
    table(runs.map((run) => rowOf(run, run.required))),
    '',
    `Not required (${[...kept].join(', ')}):`,
    table(runs.map((run) => rowOf(run, keptOf(run)))),
    '',
    'Left out on purpose, and required by no revision:',
    ...LEFT_OUT.map(
      ({ what, reason, scenarios }) => `- ${what}: ${reason}\n    ${scenarios.join(', ')}`,
    ),
    '',
    ...(faults.length === 0 ? ['All passed.'] : ['At fault:', ...faults]),
  ];
  return { text: lines.join('\n'), isGood: faults.length === 0 };
}

/** What is not required and yet has to pass. */
function keptOf({ others }) {
  return others.filter((name) => !LEFT.has(name));
}

function rowOf({ revision, platform, results }, scenarios) {
  const verdicts = scenarios.map((scenario) => verdictOf(results.get(scenario)));
  const count = (wanted) => verdicts.filter((verdict) => verdict === wanted).length;
  return [revision, platform, verdicts.length, count('passed'), count('failed'), count('skipped')];
}

/** The suite overlooks warnings; this does not. A scenario that checked nothing did not pass. */
function verdictOf(checks) {
  if (checks === undefined || checks.some(isFault)) return 'failed';
  return checks.some(({ status }) => status === 'SUCCESS') ? 'passed' : 'skipped';
}

function isFault({ status }) {
  return status === 'FAILURE' || status === 'WARNING';
}

function faultsOf({ revision, platform, required, others, results }) {
  return [...required, ...others].flatMap((scenario) => {
    const checks = results.get(scenario);
    const where = `- ${scenario} (${revision}, ${platform})`;
    const hasPassed = verdictOf(checks) === 'passed';
    if (LEFT.has(scenario)) {
      return hasPassed ? [`${where} passes: take it off runner/left-out.mjs`] : [];
    }
    if (hasPassed) return [];
    if (checks === undefined) return [`${where} did not run`];
    const said = checks.filter(isFault).map(({ id, errorMessage }) => `    ${id}: ${errorMessage}`);
    return [[where, ...(said.length > 0 ? said : ['    checked nothing'])].join('\n')];
  });
}

function table(rows) {
  const lines = [HEAD, ...rows].map((row) => row.map(String));
  const widths = HEAD.map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  return lines
    .map((line) =>
      line.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))),
    )
    .map((line) => `  ${line.join('  ')}`)
    .join('\n');
}
