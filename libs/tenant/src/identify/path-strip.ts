import { pathRangeOf } from './request-parts.js';
import { segmentOf, type SegmentRule, segmentRuleOf } from './path-segment.js';
import { type IdentifyOptions, pathOptionsOf } from './sources.js';

/**
 * A request target without the tenant's segment: `/acme/tasks?page=2` is `/tasks?page=2`. What is
 * left stays as it was sent, percent-encoding included. Undefined where there is nothing to remove:
 * no segment, a reserved one, a path that is refused anyway, or one that would begin with `//` then,
 * which redirects and static files take for another host.
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
 * Strips targets as the options ask; undefined where no strategy does.
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
