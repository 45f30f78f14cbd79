// Jest's environment for Node.js, with two changes that make it faster.
//
// First, the globals are an ordinary global object. Jest makes node:vm keep them in a Proxy, which
// is called each time code reads `Object`, `Promise` or `process`: a loop that does so takes thirty
// times as long. Suites are isolated from each other in both cases.
//
// Second, the AsyncLocalStorages of a suite are disabled after it. Node.js visits each enabled
// storage of a process for every new promise. A worker runs a hundred suites, and each loads Nest,
// Fledge and drivers again. Their storages would slow down every later suite, and keep their
// contents in memory.
const { AsyncLocalStorage } = require('node:async_hooks');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** The storages that the running suite has entered. */
const entered = new Set();

for (const name of ['run', 'enterWith']) {
  const enter = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...args) {
    entered.add(this);
    return Reflect.apply(enter, this, args);
  };
}

module.exports = class extends TestEnvironment {
  constructor(...args) {
    const { createContext } = vm;
    // Jest has no option for this, so the function is replaced.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
  }

  async teardown() {
    await super.teardown();
    for (const storage of entered) storage.disable();
    entered.clear();
  }
};
