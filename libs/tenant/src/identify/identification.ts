import {
  AmbiguousTenantError,
  InvalidTenantError,
  type TenantHttpError,
} from '../tenant.errors.js';
import type { TenantRequest } from '../tenant.options.js';
import { isThenable } from '../thenable.js';
import type { SourceResult, IdentifierSource } from './identifier-source.js';
import { checkedIdentifier, type ResolvedIdentifierRule } from './identifier.js';
import type { IdentifyOptions } from './identify-options.js';
import { sourcesOf } from './sources.js';

/** The result for one request. `refused`: it sent a value that cannot be a tenant. */
export type Identification =
  | { readonly kind: 'found'; readonly identifier: string; readonly source: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly error: TenantHttpError };

/**
 * Reads the identifier of a request. Returns a promise only if a source does. Errors of a function
 * strategy are passed on.
 */
export type Identify = (req: TenantRequest) => Identification | Promise<Identification>;

/**
 * Compiles the options.
 * @throws TenantOptionError
 */
export function identificationOf(options: IdentifyOptions): Identify {
  const { steps, combination } = identifyStepsOf(options);
  const [only] = steps;
  if (only !== undefined && steps.length === 1) return only.identify;
  const identify = steps.map((step) => step.identify);
  return (req) => readSources({ steps: identify, combination, req }, 0, ABSENT);
}

/** A strategy of the application. */
export interface IdentifyStep {
  /** Becomes `TenantContext.source`. */
  readonly name: string;
  /** See `IdentifierSource`. */
  readonly place: string;
  readonly identify: Identify;
}

/**
 * The strategies in order, and how their results are combined.
 * @throws TenantOptionError
 */
export function identifyStepsOf(options: IdentifyOptions): {
  readonly steps: readonly IdentifyStep[];
  readonly combination: Combination;
} {
  const { combine, identifier } = options;
  const steps = sourcesOf(options).map((source) => ({
    name: source.name,
    place: source.place,
    identify: stepOf(source, identifier),
  }));
  return { steps, combination: COMBINATIONS[combine] };
}

/** How the results of several sources become one. */
interface Combination {
  readonly join: (before: Identification, next: Identification) => Identification;
  /** True if later sources cannot change the result. */
  readonly isFinal: (identification: Identification) => boolean;
}

const COMBINATIONS: Record<'first' | 'agree', Combination> = {
  first: {
    join: (_before, next) => next,
    isFinal: ({ kind }) => kind !== 'absent',
  },
  agree: {
    join(before, next) {
      if (before.kind !== 'found' || next.kind === 'refused') return next;
      if (next.kind === 'absent' || next.identifier === before.identifier) return before;
      return { kind: 'refused', error: new AmbiguousTenantError('The request') };
    },
    isFinal: ({ kind }) => kind === 'refused',
  },
};

const ABSENT: Identification = { kind: 'absent' };

interface Reading {
  readonly steps: readonly Identify[];
  readonly combination: Combination;
  readonly req: TenantRequest;
}

/** Continues after a promise at the next step, so that synchronous steps need none. */
function readSources(
  reading: Reading,
  from: number,
  before: Identification,
): Identification | Promise<Identification> {
  const { steps, combination, req } = reading;
  let result = before;
  for (let i = from; i < steps.length && !combination.isFinal(result); i++) {
    const next = (steps[i] as Identify)(req);
    if (next instanceof Promise) {
      const known = result;
      return next.then((found) => readSources(reading, i + 1, combination.join(known, found)));
    }
    result = combination.join(result, next);
  }
  return result;
}

/** Combines a source with the rule for its identifiers. */
function stepOf(source: IdentifierSource, rule: ResolvedIdentifierRule): Identify {
  const check = (found: SourceResult): Identification => {
    if (found === undefined) return ABSENT;
    if (typeof found !== 'string') return { kind: 'refused', error: found };
    const identifier = checkedIdentifier(found, rule);
    return identifier === undefined
      ? { kind: 'refused', error: new InvalidTenantError(source.place) }
      : { kind: 'found', identifier, source: source.name };
  };
  return (req) => {
    const found = source.find(req);
    return isThenable(found) ? Promise.resolve(found).then(check) : check(found);
  };
}
