// Runs a suite as Jest's environment for Node.js does, and afterwards disables the AsyncLocalStorages it used.
// Node.js visits each enabled storage of a process whenever a promise is made. A worker runs a hundred suites, each
// of which loads Nest, Fledge and drivers again: their storages would slow down every suite after them, and
// keep in memory what they hold.
const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

/** Those which the running suite has entered. */
const entered = new Set();

for (const name of ['run', 'enterWith']) {
  const enter = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...args) {
    entered.add(this);
    return Reflect.apply(enter, this, args);
  };
}

module.exports = class extends TestEnvironment {
  async teardown() {
    await super.teardown();
    for (const storage of entered) storage.disable();
    entered.clear();
  }
};
