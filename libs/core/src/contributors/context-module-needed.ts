import { NeededModule } from '@fledge-internal/needed-module';

export const neededContextModule = new NeededModule(
  'ContextModule',
  'The application has context decorators, but neither ContextModule nor another module of Fledge, so the decorators do not run. ' +
    'Add ContextModule to the imports of the root module.',
);
