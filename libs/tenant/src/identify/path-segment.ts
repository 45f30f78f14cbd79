import { TenantOptionError } from '../tenant.errors.js';
import type { TenantPathOptions } from '../tenant.options.js';
import { decodeOnce } from './identifier-source.js';
import { findPath, type PathRange } from './request-parts.js';

export interface SegmentRule {
  /** Segments before the tenant's segment, in lower case. The path must start with them. */
  readonly after: readonly string[];
  /** Number of segments before the tenant's segment. */
  readonly position: number;
  /** In lower case. */
  readonly reserved: ReadonlySet<string>;
}

/** `malformed` means that routers disagree about the segments of this path. */
export type PathSegment =
  | (PathRange & { readonly kind: 'found'; readonly value: string })
  | { readonly kind: 'absent' }
  | { readonly kind: 'malformed' };

/** @throws TenantOptionError */
export function compileSegmentRule(options: Required<TenantPathOptions>): SegmentRule {
  const { after, segment, reserved } = options;
  if (!/^(\/[^/?#:*{}\s]+)*\/?$/.test(after)) {
    throw new TenantOptionError(
      `\`path.after\` of TenantModule is "${after}", which is not a fixed path. Pass the path before the segment ` +
        `of the tenant, such as "/api". If a segment before the tenant varies, set ` +
        `\`path.segment\`.`,
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

/** Decodes segments and ignores case, like routers: `/%61PI/acme` matches the route `/api/acme`. */
export function findSegment(target: string, rule: SegmentRule): PathSegment {
  const path = findPath(target);
  // The targets `*` and `host:port` have no path (RFC 9112 §3.2.3, §3.2.4).
  if (target[path.start] !== '/') return ABSENT;

  let start = path.start + 1;
  for (let i = 0; ; i++) {
    const slash = target.indexOf('/', start);
    const isLast = slash === -1 || slash >= path.end;
    const end = isLast ? path.end : slash;
    // Routers treat `//acme` in different ways.
    if (start === end) return isLast ? ABSENT : MALFORMED;
    const value = decodeOnce(target.slice(start, end));
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
