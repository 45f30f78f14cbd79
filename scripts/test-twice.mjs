// Every test, for CI. Suites that failed run once more, one after the other: on two cores that run four hundred suites,
// a browser or a server of the tests may be kept waiting for seconds. What failed first is printed, so that it can be
// mended, and a suite that fails twice fails. More than a few failures are no accident, and fail at once.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

const MOST_ACCIDENTS = 5;
/** More than cores: suites wait for databases, for processes, and for limits of time to pass. */
const WORKERS = availableParallelism() + 1;

const folder = mkdtempSync(join(tmpdir(), 'fledge-tests-'));
const report = join(folder, 'report.json');
const first = npmTest(`--maxWorkers=${WORKERS}`, '--json', `--outputFile=${report}`);
process.exitCode = first === 0 ? 0 : again();
rmSync(folder, { recursive: true });

/** Runs the failed suites once more, and returns the exit code. */
function again() {
  const failed = failedSuites();
  if (failed.length === 0 || failed.length > MOST_ACCIDENTS) return first;
  console.error(`\nFailed, and run once more alone:\n${failed.join('\n')}\n`);
  return npmTest('--runInBand', '--runTestsByPath', ...failed);
}

/** The paths of the suites that failed. None if Jest ended before it wrote its report. */
function failedSuites() {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
    return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
  } catch {
    return [];
  }
}

function npmTest(...options) {
  const { status } = spawnSync('npm', ['test', '--', ...options], { stdio: 'inherit' });
  return status ?? 1;
}
