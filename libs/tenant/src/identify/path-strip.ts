import { pathRangeOf } from './request-parts.js';
import { segmentOf, type SegmentRule, segmentRuleOf } from './path-segment.js';
import type { IdentifyOptions } from './identify-options.js';
import { pathOptionsOf } from './sources.js';

/**
 * Removes the tenant's segment from a request target: `/acme/tasks?page=2` becomes `/tasks?page=2`. The
 * rest stays as sent, with its percent-encoding. Returns undefined if there is nothing to remove: no
 * segment, a reserved one, a malformed path, or a result that would begin with `//`, which redirects and
 * static files read as another host.
 */
export function strippedUrl(url: string, rule: SegmentRule): string | undefined {
  const segment = segmentOf(url, rule);
  if (segment.kind !== 'found') return undefined;
  const before = url.slice(0, segment.start - 1);
  const behind = url.slice(segment.end);
  if (behind.startsWith('//')) return undefined;
  const isFirst = segment.start - 1 === pathRangeOf(url).start;
  return isFirst && !behind.startsWith('/') ? `${before}/${behind}` : before + behind;
}

/**
 * Compiles a function that strips targets. Returns undefined if no strategy has `strip`.
 * @throws TenantOptionError
 */
export function urlStripperOf(
  options: IdentifyOptions,
): ((url: string) => string | undefined) | undefined {
  const rules = pathOptionsOf(options)
    .filter(({ strip }) => strip)
    .map(segmentRuleOf);
  if (rules.length === 0) return undefined;
  return (url) => {
    for (const rule of rules) {
      const stripped = strippedUrl(url, rule);
      if (stripped !== undefined) return stripped;
    }
    return undefined;
  };
}
