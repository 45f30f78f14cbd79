import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { getMcpToolMeta } from '../src/publish/decorators/mcp-tool.decorator.js';
import { handlerOf, nestParametersOf } from '../src/publish/routes/nest-routes.js';
import { pathParametersOf } from '../src/publish/routes/path-parameters.js';
import type { QueryReads } from '../src/publish/routes/query-parser.js';
import type { Route } from '../src/publish/routes/route.js';
import type { HttpMethod } from '../src/mcp.definitions.js';
import { inputSchemaOf } from '../src/publish/schema/input-schema.js';
import type { OperationInput } from '../src/publish/schema/operation-input.js';

/** A route as discovery would find it, without an application around it. */
export function routeOf<T extends object>(
  controller: Type<T>,
  methodName: keyof T & string,
  verb: HttpMethod = 'POST',
  path = '/things',
  queryReads: QueryReads = 'objects',
): Route {
  return {
    controller,
    handler: handlerOf(controller, methodName),
    methodName,
    label: `${controller.name}.${methodName}`,
    verb,
    path,
    otherPaths: [],
    pathParameters: pathParametersOf(path) ?? [],
    parameters: nestParametersOf(controller, methodName),
    consumes: 'application/json',
    upload: undefined,
    queryReads,
    version: { kind: 'none' },
  };
}

/** The input of a route and all that was warned about while it was built. */
export function inputOf(route: Route): {
  readonly input: OperationInput;
  readonly warnings: readonly string[];
} {
  const warnings: string[] = [];
  const input = inputSchemaOf(route, getMcpToolMeta(route.handler), (warning) =>
    warnings.push(warning),
  );
  return { input, warnings };
}
