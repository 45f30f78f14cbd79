import { TenantOptionError } from '../tenant.errors.js';
import type { TenantPathOptions } from '../tenant.options.js';
import { decodedOnce } from './identifier-source.js';
import { pathRangeOf, type PathRange } from './request-parts.js';

/** Where in a path the tenant stands. */
export interface SegmentRule {
  /** The segments before it that must be these, lower-cased. */
  readonly after: readonly string[];
  /** How many segments stand before it. */
  readonly position: number;
  /** Lower-cased. */
  readonly reserved: ReadonlySet<string>;
}

/** The tenant's segment of a target. `malformed`: the path cannot be told into segments for sure. */
export type PathSegment =
  | (PathRange & { readonly kind: 'found'; readonly value: string })
  | { readonly kind: 'absent' }
  | { readonly kind: 'malformed' };

/** @throws TenantOptionError */
export function segmentRuleOf(options: TenantPathOptions = {}): SegmentRule {
  const { after = '', segment = 0, reserved = [] } = options;
  if (!/^(\/[^/?#:*{}\s]+)*\/?$/.test(after)) {
    throw new TenantOptionError(
      `path.after is "${after}". Pass the segments before the tenant's as they are sent, with a ` +
        `slash before each, such as "/api"; use path.segment where one of them varies.`,
    );
  }
  if (!Number.isSafeInteger(segment) || segment < 0) {
    throw new TenantOptionError(
      `path.segment is ${String(segment)}. Pass how many segments stand before the tenant's, from 0.`,
    );
  }
  const before = after.split('/').filter((part) => part !== '');
  return {
    after: before.map((part) => part.toLowerCase()),
    position: before.length + segment,
    reserved: new Set(reserved.map((part) => part.toLowerCase())),
  };
}

const ABSENT = { kind: 'absent' } as const;
const MALFORMED = { kind: 'malformed' } as const;

/**
 * Walks to the tenant's segment. Segments are compared decoded and in any case, as routers do:
 * `/%61PI/acme` reaches the same route as `/api/acme`.
 */
export function segmentOf(target: string, rule: SegmentRule): PathSegment {
  const path = pathRangeOf(target);
  // Neither `*` nor `host:port` has a path (RFC 9112 §3.2.3, §3.2.4).
  if (target[path.start] !== '/') return ABSENT;

  let start = path.start + 1;
  for (let i = 0; ; i++) {
    const slash = target.indexOf('/', start);
    const isLast = slash === -1 || slash >= path.end;
    const end = isLast ? path.end : slash;
    // Of `//acme` routers make different things.
    if (start === end) return isLast ? ABSENT : MALFORMED;
    const value = decodedOnce(target.slice(start, end));
    if (value === undefined || value.trim() === '') return MALFORMED;
    if (i === rule.position) {
      return rule.reserved.has(value.toLowerCase()) ? ABSENT : { kind: 'found', value, start, end };
    }
    const expected = rule.after[i];
    if (expected !== undefined && value.toLowerCase() !== expected) return ABSENT;
    if (isLast) return ABSENT;
    start = end + 1;
  }
}
