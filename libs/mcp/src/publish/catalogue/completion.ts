import { callableOf, type CatalogueSetup, type Operation } from './operation.js';
import type { Route } from '../routes/route.js';
import { CompletionError } from '../../mcp.errors.js';

/** The operations that complete parameters or arguments, by name. */
export type Completions = ReadonlyMap<string, Operation>;

/** Timeout of a completion in milliseconds. Short, because the user is typing. */
const TIMEOUT_MS = 5_000;

/**
 * Returns the operations that complete parameters. They are routes, so guards control access to the
 * values.
 * @throws CompletionError if the parameter does not exist or the method is not a GET route
 */
export function completionsOf(
  { controller, label }: Route,
  complete: Readonly<Record<string, string>> = {},
  parameters: readonly string[],
  setup: CatalogueSetup,
): Completions {
  return new Map(
    Object.entries(complete).map(([parameter, methodName]): [string, Operation] => {
      if (!parameters.includes(parameter)) {
        const names = parameters.length === 0 ? 'none' : parameters.join(', ');
        throw new CompletionError(
          label,
          parameter,
          `is invalid, because this parameter does not exist. The parameters are: ${names}`,
        );
      }
      const route = setup.routeOf(controller, methodName);
      if (route?.verb !== 'GET') {
        const method = `${controller.name}.${methodName}`;
        throw new CompletionError(
          label,
          parameter,
          `is ${method}, which is not a GET route. Use a @Get() method of the same controller`,
        );
      }
      return [parameter, completionOf(route, setup)];
    }),
  );
}

function completionOf(route: Route, setup: CatalogueSetup): Operation {
  return {
    ...callableOf(route, setup),
    kind: 'completion',
    name: route.label,
    timeoutMs: TIMEOUT_MS,
    scopes: [],
    tags: [],
  };
}
