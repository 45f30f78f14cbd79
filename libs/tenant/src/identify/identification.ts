import {
  AmbiguousTenantError,
  InvalidTenantError,
  type TenantHttpError,
  TenantOptionError,
} from '../tenant.errors.js';
import type { TenantRequest } from '../tenant.options.js';
import type { SourceResult, IdentifierSource } from './identifier-source.js';
import { isPromiseLike } from './function-source.js';
import { checkedIdentifier, identifierRuleOf, type ResolvedIdentifierRule } from './identifier.js';
import { type IdentifyOptions, sourcesOf } from './sources.js';

/** What a request says of its tenant. `refused`: it says what cannot be one, so nobody guesses. */
export type Identification =
  | { readonly kind: 'found'; readonly identifier: string; readonly source: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly error: TenantHttpError };

/**
 * Reads a request. Answers at once where every source does, so that no request waits for a promise;
 * what a function of the options throws is thrown, or rejects, as it is.
 */
export type Identify = (req: TenantRequest) => Identification | Promise<Identification>;

/**
 * Compiles the options, once.
 * @throws TenantOptionError
 */
export function identificationOf(options: IdentifyOptions): Identify {
  const { combine = 'first' } = options;
  const rule = identifierRuleOf(options.identifier);
  const steps = sourcesOf(options).map((source) => stepOf(source, rule));
  const [only] = steps;
  if (!Object.hasOwn(COMBINATIONS, combine)) {
    throw new TenantOptionError(`combine is "${String(combine)}". Pass "first" or "agree".`);
  }
  if (only !== undefined && steps.length === 1) return only;
  const combination = COMBINATIONS[combine];
  return (req) => walk(steps, req, combination);
}

/** How what several sources say becomes one. */
interface Combination {
  readonly join: (before: Identification, next: Identification) => Identification;
  /** Whether the sources behind cannot change it. */
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

function walk(
  steps: readonly Identify[],
  req: TenantRequest,
  combination: Combination,
  from = 0,
  known: Identification = ABSENT,
): Identification | Promise<Identification> {
  for (let i = from; i < steps.length && !combination.isFinal(known); i++) {
    const next = (steps[i] as Identify)(req);
    if (next instanceof Promise) {
      const before = known;
      return next.then((said) =>
        walk(steps, req, combination, i + 1, combination.join(before, said)),
      );
    }
    known = combination.join(known, next);
  }
  return known;
}

/** A source together with the rule its identifiers must meet. */
function stepOf(source: IdentifierSource, rule: ResolvedIdentifierRule): Identify {
  const judge = (finding: SourceResult): Identification => {
    if (finding === undefined) return ABSENT;
    if (typeof finding !== 'string') return { kind: 'refused', error: finding };
    const identifier = checkedIdentifier(finding, rule);
    return identifier === undefined
      ? { kind: 'refused', error: new InvalidTenantError(source.place) }
      : { kind: 'found', identifier, source: source.name };
  };
  return (req) => {
    const finding = source.find(req);
    return isPromiseLike(finding) ? Promise.resolve(finding).then(judge) : judge(finding);
  };
}
