import { InvalidTenantError } from '../tenant.errors.js';
import type { TenantPathOptions } from '../tenant.options.js';
import type { ImmediateSource } from './identifier-source.js';
import { segmentOf, segmentRuleOf } from './path-segment.js';
import { callersTargetOf, targetOf } from './request-parts.js';

/**
 * Reads the tenant from a segment of the path.
 * @throws TenantOptionError
 */
export function pathSource(options: Required<TenantPathOptions>): ImmediateSource {
  const rule = segmentRuleOf(options);
  const place = 'The path';
  // A segment that is not stripped is a route parameter, so it is an argument of a tool call.
  const target = options.strip ? callersTargetOf : targetOf;
  return {
    name: 'path',
    place,
    isImmediate: true,
    find(req) {
      const segment = segmentOf(target(req), rule);
      if (segment.kind === 'malformed') return new InvalidTenantError(place);
      return segment.kind === 'found' ? segment.value : undefined;
    },
  };
}
