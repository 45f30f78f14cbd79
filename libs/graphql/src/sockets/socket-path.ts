import { RequestMethod } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { GraphqlOptionError } from '../graphql.errors.js';

/**
 * Returns a path with the global prefix. If the application excludes the path from the prefix,
 * returns the path without the prefix. Nest does the same for HTTP.
 */
export function urlOf(path: string, config: ApplicationConfig): string {
  const prefix = config.getGlobalPrefix().replace(/^\/+|\/+$/g, '');
  const { exclude = [] } = config.getGlobalPrefixOptions();
  const excluded = exclude.some(
    ({ pathRegex, requestMethod }) => requestMethod === RequestMethod.ALL && pathRegex.test(path),
  );
  return prefix === '' || excluded ? path : `/${prefix}${path}`;
}

/**
 * Returns true if requests to one path would also reach the other. Express and the middleware of
 * Fastify ignore case in paths.
 */
export function isSamePath(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/**
 * Normalizes a path: adds a leading slash and removes a trailing slash.
 * @throws GraphqlOptionError if the path contains a query string, a fragment or white space
 */
export function socketPathOf(path: string): string {
  const normal = `/${path.replace(/^\/+|\/+$/g, '')}`;
  if (/^\/[^\s?#]*$/.test(normal)) return normal;
  throw new GraphqlOptionError(
    `The subscription path is ${JSON.stringify(path)}, but must be a path without query string or fragment, such as '/graphql'.`,
  );
}
