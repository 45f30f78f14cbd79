// `npm run conformance`: installs the official MCP suite on first use, builds, and runs what both revisions
// require of a server against this app, and graphql-http's audit of GraphQL over HTTP, on Express and on
// Fastify.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startApp } from './runner/app.mjs';
import { auditGraphql, auditReport } from './runner/graphql-audit.mjs';
import { report } from './runner/report.mjs';
import { installSuite, requirementsOf, runSuite } from './runner/suite.mjs';

const REVISIONS = ['2025-11-25', '2026-07-28'];
const PLATFORMS = ['express', 'fastify'];

const node = await installSuite();
build();

const runs = [];
const audits = [];
for (const platform of PLATFORMS) {
  const app = await startApp(platform);
  try {
    audits.push({ platform, ...(await auditGraphql(new URL('/graphql', app.url).href)) });
    for (const revision of REVISIONS) {
      const results = await runSuite(node, app.url, revision);
      runs.push({ revision, platform, ...requirementsOf(revision), results });
    }
  } finally {
    await app.stop();
  }
}

const summaries = [report(runs), auditReport(audits)];
console.log(summaries.map(({ text }) => text).join('\n\n'));
process.exit(summaries.every(({ isGood }) => isGood) ? 0 : 1);

/** Compiles and bundles: the app runs the bundles. */
function build() {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
