import type { ParameterSource, Route, RouteParameter } from '../discovery/route.js';

const DECORATORS: Partial<Record<ParameterSource, string>> = {
  path: 'Param',
  query: 'Query',
  body: 'Body',
};

/** `TasksController.create, parameter 1 (@Query('page'))`, for messages. */
export function placeOf(route: Route, parameter: RouteParameter): string {
  const name = parameter.name === undefined ? '' : `'${parameter.name}'`;
  return `${route.label}, parameter ${parameter.index} (@${DECORATORS[parameter.source] ?? 'parameter'}(${name}))`;
}
