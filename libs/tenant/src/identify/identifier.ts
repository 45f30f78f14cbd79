import { TenantOptionError } from '../tenant.errors.js';
import type { TenantIdentifierOptions } from '../tenant.options.js';

/** What identifiers must be, ready to be asked for every request. */
export interface ResolvedIdentifierRule {
  readonly pattern: RegExp;
  readonly maxLength: number;
  readonly normalize?: (identifier: string) => string;
}

/**
 * The rule of the options, with every default applied.
 * @throws TenantOptionError
 */
export function identifierRuleOf(options: TenantIdentifierOptions = {}): ResolvedIdentifierRule {
  const { pattern = /^[A-Za-z0-9][A-Za-z0-9._-]*$/, maxLength = 128, normalize } = options;
  if (!(pattern instanceof RegExp)) {
    throw new TenantOptionError(
      'identifier.pattern is no regular expression. Pass one such as /^[a-z0-9-]+$/.',
    );
  }
  if (!Number.isSafeInteger(maxLength) || maxLength < 1) {
    throw new TenantOptionError(
      `identifier.maxLength is ${String(maxLength)}. Pass how many characters are allowed, such as 128.`,
    );
  }
  if (normalize !== undefined && typeof normalize !== 'function') {
    throw new TenantOptionError(
      'identifier.normalize is no function. Pass one such as (id) => id.toLowerCase().',
    );
  }
  return { pattern: whole(pattern), maxLength, ...(normalize && { normalize }) };
}

/**
 * The identifier a raw value is, normalised; undefined where it is none. What `normalize` throws is
 * thrown.
 */
export function checkedIdentifier(raw: string, rule: ResolvedIdentifierRule): string | undefined {
  if (!isWellFormed(raw, rule)) return undefined;
  if (rule.normalize === undefined) return raw;
  const identifier = rule.normalize(raw);
  // Checked again, for what it makes goes into keys and paths, and comes back in tenancy.run(id).
  return isWellFormed(identifier, rule) ? identifier : undefined;
}

function isWellFormed(value: unknown, { pattern, maxLength }: ResolvedIdentifierRule): boolean {
  // The length first, so that no pattern is slow on ten kilobytes.
  return (
    typeof value === 'string' && value !== '' && value.length <= maxLength && pattern.test(value)
  );
}

/** A pattern that matches the whole text or nothing, and remembers no position between requests. */
function whole({ source, flags }: RegExp): RegExp {
  return new RegExp(`^(?:${source})$`, flags.replace(/[gmy]/g, ''));
}
