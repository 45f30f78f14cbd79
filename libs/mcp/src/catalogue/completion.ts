import type { Operation } from './operation.js';
import type { Route } from '../routes/route.js';
import { CompletionError } from '../mcp.errors.js';
import { inputSchemaOf } from '../schema/input-schema.js';

/** By parameter or argument: the operation that answers what it may be. */
export type Completions = ReadonlyMap<string, Operation>;

/** The route of another method of the same controller; undefined where it is none. */
export type RouteLookup = (
  controller: Route['controller'],
  methodName: string,
) => Route | undefined;

/** Milliseconds a completion may take: it is asked for while somebody types. */
const TIMEOUT_MS = 5_000;

/**
 * The operations that complete parameters: routes too, so that guards decide who learns what exists.
 * @throws CompletionError for a parameter there is none of, and for a method that is no GET route
 */
export function completionsOf(
  { controller, label }: Route,
  complete: Readonly<Record<string, string>> = {},
  parameters: readonly string[],
  routeOf: RouteLookup,
  warn: (warning: string) => void,
): Completions {
  return new Map(
    Object.entries(complete).map(([parameter, methodName]): [string, Operation] => {
      if (!parameters.includes(parameter)) {
        const names = parameters.length === 0 ? 'none' : parameters.join(', ');
        throw new CompletionError(label, parameter, `is of no parameter; there are: ${names}`);
      }
      const route = routeOf(controller, methodName);
      if (route?.verb !== 'GET') {
        const method = `${controller.name}.${methodName}`;
        throw new CompletionError(label, parameter, `is ${method}, which is no GET route`);
      }
      return [parameter, completionOf(route, warn)];
    }),
  );
}

function completionOf(route: Route, warn: (warning: string) => void): Operation {
  return {
    kind: 'completion',
    name: route.label,
    route,
    input: inputSchemaOf(route, undefined, warn),
    timeoutMs: TIMEOUT_MS,
    scopes: [],
  };
}
