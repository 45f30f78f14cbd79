import type { Route, RouteParameter } from '../discovery/route.js';

const DECORATORS = { path: 'Param', query: 'Query', body: 'Body', other: 'parameter' } as const;

/** `TasksController.create, parameter 1 (@Query('page'))`, for messages. */
export function placeOf(route: Route, parameter: RouteParameter): string {
  const name = parameter.name === undefined ? '' : `'${parameter.name}'`;
  return `${route.label}, parameter ${parameter.index} (@${DECORATORS[parameter.source]}(${name}))`;
}
