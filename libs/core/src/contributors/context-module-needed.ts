import { NeededModule } from '@fledge-internal/nest-modules';

export const neededContextModule = new NeededModule(
  'ContextModule',
  'The application uses context decorators, but imports neither ContextModule nor another Fledge ' +
    'module, so the decorators do not run. Add ContextModule to the imports of the root module.',
);
