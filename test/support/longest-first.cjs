// Starts the suites that take longest first: the last of them would run alone, while the other core has no work.
// Jest knows how long suites take only if it ran them before, which it did not in a fresh clone.
const { default: Sequencer } = require('@jest/test-sequencer');

/** Suites that took half a minute or more on two cores, longest first. */
const LONG = [
  'test/readme.spec.ts',
  'test/nest11.spec.ts',
  'test/consumer.spec.ts',
  'test/release.spec.ts',
  'libs/cli/test/list-call.spec.ts',
  'test/tenant-command.spec.ts',
  'test/panel-browser/many-calls.spec.ts',
  'libs/mcp/test/stdio.spec.ts',
  'libs/mcp/test/soak.spec.ts',
  'test/ways.spec.ts',
  'libs/mcp/test/several-processes-failures.spec.ts',
  'test/panel-browser/views.spec.ts',
  'libs/cli/test/start.spec.ts',
  'test/panel-browser/looks.spec.ts',
  'libs/tenant/test/lifecycle-recipes.spec.ts',
  'libs/tenant/test/lifecycle-runners.spec.ts',
  'test/ways-in.spec.ts',
  'libs/query/test/prisma.spec.ts',
  'apps/tasks/test/company-lifecycle.e2e-spec.ts',
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
