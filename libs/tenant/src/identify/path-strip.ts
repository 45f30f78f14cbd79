import { findPath } from './request-parts.js';
import { findSegment, type SegmentRule, compileSegmentRule } from './path-segment.js';
import type { IdentifyOptions } from './identify-options.js';
import { listPathOptions } from './create-sources.js';

/**
 * Removes the tenant's segment from a request target: `/acme/tasks?page=2` becomes `/tasks?page=2`.
 * The rest is unchanged, including its percent-encoding. Returns undefined if the path has no
 * tenant's segment, if the segment is reserved, or if the path is malformed. Also returns undefined
 * if the result would start with `//`, because redirects and static files would read such a path as
 * another host.
 */
export function stripUrl(url: string, rule: SegmentRule): string | undefined {
  const segment = findSegment(url, rule);
  if (segment.kind !== 'found') return undefined;
  const before = url.slice(0, segment.start - 1);
  const behind = url.slice(segment.end);
  if (behind.startsWith('//')) return undefined;
  const isFirst = segment.start - 1 === findPath(url).start;
  return isFirst && !behind.startsWith('/') ? `${before}/${behind}` : before + behind;
}

/** Returns undefined if no strategy has the option `strip`. @throws TenantOptionError */
export function compileUrlStripper(
  options: IdentifyOptions,
): ((url: string) => string | undefined) | undefined {
  const rules = listPathOptions(options)
    .filter(({ strip }) => strip)
    .map(compileSegmentRule);
  if (rules.length === 0) return undefined;
  return (url) =>
    rules.map((rule) => stripUrl(url, rule)).find((stripped) => stripped !== undefined);
}
