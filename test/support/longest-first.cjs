// Starts the suites that take longest first: the last of them would run alone, while the other core has no work.
// Jest knows how long suites take only if it ran them before, which it did not in a fresh clone.
const { default: Sequencer } = require('@jest/test-sequencer');

/** Suites that took 40 seconds or more on two cores, longest first. */
const LONG = [
  'test/readme.spec.ts',
  'test/consumer.spec.ts',
  'libs/cli/test/list-call.spec.ts',
  'test/panel-browser/many-calls.spec.ts',
  'test/panel-browser/views.spec.ts',
  'test/nest11.spec.ts',
  'libs/mcp/test/stdio.spec.ts',
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
