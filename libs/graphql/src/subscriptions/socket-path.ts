import { RequestMethod } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { GraphqlOptionError } from '../graphql.errors.js';

/** Where a path is served: below the global prefix, unless that excludes it, as Nest does for HTTP. */
export function urlOf(path: string, config: ApplicationConfig): string {
  const prefix = config.getGlobalPrefix().replace(/^\/+|\/+$/g, '');
  const { exclude = [] } = config.getGlobalPrefixOptions();
  const excluded = exclude.some(
    ({ pathRegex, requestMethod }) => requestMethod === RequestMethod.ALL && pathRegex.test(path),
  );
  return prefix === '' || excluded ? path : `/${prefix}${path}`;
}

/**
 * A path as it is matched: with a leading slash and without one at its end.
 * @throws GraphqlOptionError for what no upgrade request can ask for
 */
export function socketPathOf(path: string): string {
  const normal = `/${path.replace(/^\/+|\/+$/g, '')}`;
  if (/^\/[^\s?#]*$/.test(normal)) return normal;
  throw new GraphqlOptionError(
    `The path of the subscriptions is ${JSON.stringify(path)}, but must be one without query and fragment, such as '/graphql'.`,
  );
}
