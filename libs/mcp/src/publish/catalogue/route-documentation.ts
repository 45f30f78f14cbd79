import { STATUS_CODES } from 'node:http';
import { isObject } from '@fledge-internal/options';
import type { Route } from '../routes/route.js';
import { swaggerResponsesOf } from '../schema/sources/swagger-metadata.js';

/** Metadata keys of @nestjs/swagger. Copied here, because the package is optional. */
const OPERATION = 'swagger/apiOperation';
const TAGS = 'swagger/apiUseTags';

type Documented = Pick<Route, 'handler' | 'controller' | 'verb' | 'path'>;

/** Returns the operation id of `@ApiOperation`. */
export function operationIdOf({ handler }: Documented): string | undefined {
  return textOf(operationOf(handler)['operationId']);
}

/** Returns the summary of `@ApiOperation` as a title: one line, without the full stop. */
export function summaryOf({ handler }: Documented): string | undefined {
  return textOf(operationOf(handler)['summary'])
    ?.replace(/\s+/g, ' ')
    .replace(/(?<!\.)\.$/, '');
}

/** Returns the tags of `@ApiTags` on the method and its controller. */
export function tagsOf({ controller, handler }: Pick<Route, 'handler' | 'controller'>): string[] {
  const tags = [controller, handler].flatMap(
    (target) => (Reflect.getMetadata(TAGS, target) ?? []) as string[],
  );
  return [...new Set(tags)];
}

/**
 * Returns true if `@ApiOperation` describes the route. The CLI plugin of @nestjs/swagger fills this
 * decorator from a comment.
 */
export function isDescribed({ handler }: Documented): boolean {
  return sentenceOf(handler) !== undefined;
}

/**
 * Builds a description for agents from the documentation of the route. Uses the text of
 * `@ApiOperation`. If there is none, uses the HTTP method, the path and the tags of `@ApiTags`.
 * Appends the errors documented with `@ApiResponse`.
 */
export function documentationOf(route: Documented): string {
  const text = sentenceOf(route.handler) ?? requestLineOf(route);
  const errors = errorsOf(route);
  return errors.length === 0 ? text : `${text}\nErrors: ${errors.join('; ')}`;
}

function sentenceOf(handler: Function): string | undefined {
  const { description, summary } = operationOf(handler);
  return textOf(description) ?? textOf(summary);
}

function requestLineOf(route: Documented): string {
  const line = `${route.verb} ${route.path}`;
  const tags = tagsOf(route);
  return tags.length === 0 ? line : `${line} (${tags.join(', ')})`;
}

/**
 * Returns one line for each documented error status, such as `404 No such task`. Sorted by status.
 */
function errorsOf(route: Documented): string[] {
  return Object.entries(swaggerResponsesOf(route))
    .filter(([status]) => /^4\d\d$/.test(status))
    .map(([status, { description }]) => {
      const said = textOf(description);
      return `${status} ${said?.replace(/\s+/g, ' ') ?? STATUS_CODES[status] ?? ''}`.trim();
    });
}

function operationOf(handler: Function): Readonly<Record<string, unknown>> {
  return recordOf(OPERATION, handler);
}

function recordOf(key: string, target: object): Readonly<Record<string, unknown>> {
  const found: unknown = Reflect.getMetadata(key, target);
  return isObject(found) ? found : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
