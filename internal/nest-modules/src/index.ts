export { checkAsyncOptions, configurableModule } from './configurable-module.js';
export { nameDecorated } from './decorated-name.js';
export {
  type MethodParameterDecorator,
  methodParameter,
  untypedParameter,
} from './method-parameter.js';
export { NeededModule } from './needed-module.js';
