import { InvalidTenantError } from '../tenant.errors.js';
import type { TenantPathOptions } from '../tenant.options.js';
import type { ImmediateSource } from './identifier-source.js';
import { findSegment, compileSegmentRule } from './path-segment.js';
import { readCallersTarget, readTarget } from './request-parts.js';

/** @throws TenantOptionError */
export function pathSource(options: Required<TenantPathOptions>): ImmediateSource {
  const rule = compileSegmentRule(options);
  const place = 'The path';
  // If the segment is not removed, it is a route parameter. It is then also an argument of a tool
  // call.
  const target = options.strip ? readCallersTarget : readTarget;
  return {
    name: 'path',
    place,
    isImmediate: true,
    find(req) {
      const segment = findSegment(target(req), rule);
      if (segment.kind === 'malformed') return new InvalidTenantError(place);
      return segment.kind === 'found' ? segment.value : undefined;
    },
  };
}
