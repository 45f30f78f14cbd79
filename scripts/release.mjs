// `npm run release -- --dry-run` packs and checks every package, and prints what would be
// published. Without --dry-run, it publishes. Only the workflow release.yml publishes, because npm
// trusts no other publisher.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSound, pack, packages } from './packages.mjs';

/** The lowest npm version that supports trusted publishing. */
const LEAST_NPM = [11, 5, 1];

const isDry = process.argv.includes('--dry-run');
/** True in GitHub Actions jobs with `id-token: write`. npm then signs where a package was built. */
const hasProvenance = process.env.ACTIONS_ID_TOKEN_REQUEST_URL !== undefined;

function isOlder(version, least) {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  for (const [i, needed] of least.entries()) {
    if (parts[i] !== needed) return parts[i] < needed;
  }
  return false;
}

/** Returns the reasons why publishing is not possible, except problems of a package. */
function obstacles(found) {
  const reasons = [];
  const versions = new Set(found.map(({ manifest }) => manifest.version));
  if (versions.size > 1) {
    reasons.push(`The packages have the versions ${[...versions].join(', ')}, but must share one.`);
  }
  if (!hasProvenance) {
    reasons.push(
      'This is no job of GitHub Actions with `id-token: write`, so npm cannot sign provenance. Start the ' +
        'workflow release.yml.',
    );
  }
  const npm = execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim();
  if (isOlder(npm, LEAST_NPM)) {
    reasons.push(
      `npm is ${npm}, but trusted publishing needs ${LEAST_NPM.join('.')}: npm install -g npm@11`,
    );
  }
  const waiting = existsSync('.changeset')
    ? readdirSync('.changeset').filter((file) => file.endsWith('.md') && file !== 'README.md')
    : [];
  if (waiting.length > 0) {
    reasons.push(
      `Changesets wait for a version: ${waiting.join(', ')}. Run \`npx changeset version\`, and commit.`,
    );
  }
  return reasons;
}

/**
 * Returns the npm tag of a version. `1.2.0-rc.1` is published as `next`, so nobody installs it by
 * default.
 */
function distTagOf({ version }) {
  return version.includes('-') ? 'next' : 'latest';
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function print(rows) {
  const header = ['package', 'version', 'files', 'packed', 'unpacked', 'dist-tag', 'provenance'];
  const all = [header, ...rows];
  const widths = header.map((_, i) => Math.max(...all.map((row) => row[i].length)));
  for (const row of all) {
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    );
  }
}

function rowOf({ manifest }, { entryCount, size, unpackedSize }) {
  const { name, version } = manifest;
  return [
    name,
    version,
    String(entryCount),
    kilobytes(size),
    kilobytes(unpackedSize),
    distTagOf(manifest),
    hasProvenance ? 'yes' : 'no',
  ];
}

/**
 * Returns true if a version was published before. A second run publishes only what the first run
 * could not.
 */
function isPublished({ name, version }) {
  const { status, stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'version'], {
    encoding: 'utf8',
  });
  return status === 0 && stdout.trim() === version;
}

function publish({ manifest }, { tarball }) {
  if (isPublished(manifest)) {
    console.log(`${manifest.name}@${manifest.version} is published already.`);
    return;
  }
  const options = ['--access', 'public', '--provenance', '--tag', distTagOf(manifest)];
  execFileSync('npm', ['publish', tarball, ...options], { stdio: 'inherit' });
}

function release(folder) {
  const found = packages();
  const packed = found.map((each) => pack(each, folder));
  const unsound = found.filter((_, i) => !isSound(packed[i].tarball));
  print(found.map((each, i) => rowOf(each, packed[i])));
  const reasons = [
    ...unsound.map(({ manifest }) => `${manifest.name} has the faults above.`),
    ...obstacles(found),
  ];
  if (reasons.length > 0) {
    console.error(['\nNot ready to be published:', ...reasons].join('\n- '));
  }
  if (isDry) {
    console.log('\nNothing was published: --dry-run.');
    return unsound.length === 0;
  }
  if (reasons.length > 0) return false;
  found.forEach((each, i) => publish(each, packed[i]));
  return true;
}

const folder = mkdtempSync(join(tmpdir(), 'fledge-release-'));
let released;
try {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  execFileSync('npm', ['run', '--silent', 'check:api'], { stdio: 'inherit' });
  released = release(folder);
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(released ? 0 : 1);
