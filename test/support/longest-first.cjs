// Starts the slowest suites first. If one of them came last, it would run alone while the other
// core is idle. Jest only knows the duration of suites that it ran before, so it knows none in a
// fresh clone.
const { default: Sequencer } = require('@jest/test-sequencer');

/** Suites that take half a minute or more on two cores, longest first. */
const LONG = [
  'test/packed/consumer.spec.ts',
  'test/packed/snippets.spec.ts',
  'test/packed/nest11.spec.ts',
  'test/packed/release.spec.ts',
  'test/packed/install.spec.ts',
  'test/processes/readme-start.spec.ts',
  'test/processes/tenant-command.spec.ts',
  'apps/tasks/test/processes/company-lifecycle.e2e-spec.ts',
  'libs/tenant/test/processes/lifecycle-recipes.spec.ts',
  'libs/mcp/test/processes/oauth-bridge-processes.spec.ts',
  'libs/tenant/test/processes/lifecycle-runners.spec.ts',
  'libs/cli/test/processes/start.spec.ts',
  'libs/mcp/test/processes/several-processes-failures.spec.ts',
  'test/soak/panel-many-calls.spec.ts',
  'libs/mcp/test/soak/soak.spec.ts',
  'test/browsers/panel-views.spec.ts',
  'test/browsers/panel-looks.spec.ts',
  'libs/query/test/databases/prisma.spec.ts',
  'apps/tasks/test/tasks.e2e-spec.ts',
];

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rankOf = ({ path }) => {
      const at = LONG.findIndex((name) => path.endsWith(name));
      return at < 0 ? LONG.length : at;
    };
    return super.sort(tests).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
};
