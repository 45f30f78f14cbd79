// Runs a suite as Jest's environment for Node.js does, apart from two things that make it faster.
//
// Its globals are an ordinary global object. Jest gives node:vm a Proxy to keep them in, which is asked whenever code
// reads `Object`, `Promise` or `process`: a loop that does so takes thirty times as long. Suites share none of them
// either way.
//
// Afterwards it disables the AsyncLocalStorages the suite used. Node.js visits each enabled storage of a process
// whenever a promise is made. A worker runs a hundred suites, each of which loads Nest, Fledge and drivers again: their
// storages would slow down every suite after them, and keep in memory what they hold.
const { AsyncLocalStorage } = require('node:async_hooks');
const vm = require('node:vm');
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
  constructor(...args) {
    const { createContext } = vm;
    // Jest has no option for this.
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
