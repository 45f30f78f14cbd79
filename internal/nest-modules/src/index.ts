export { checkAsyncOptions, configurableModule } from './configurable-module.js';
export { NeededModule } from './needed-module.js';
