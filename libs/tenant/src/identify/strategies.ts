import type { PanelTenantStep } from '@fledge/core/packages';
import {
  AmbiguousTenantError,
  InvalidTenantError,
  type TenantHttpError,
} from '../tenant.errors.js';
import type { TenantRequest } from '../tenant.options.js';
import type { IdentifierSource, ImmediateSource, SourceResult } from './identifier-source.js';
import { checkIdentifier } from './identifier.js';
import type { IdentifyOptions } from './identify-options.js';
import { createSources } from './create-sources.js';

/** `refused` means that a value in the request cannot be a tenant. */
export type Identification =
  | { readonly kind: 'found'; readonly identifier: string; readonly source: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly error: TenantHttpError };

/** Receives the result of each step of a search. */
export type Trace = PanelTenantStep[];

const ABSENT: Identification = { kind: 'absent' };

export class Strategies {
  private readonly sources: readonly IdentifierSource[];
  /** Undefined if one of the sources is a function of the application. */
  private readonly immediate: readonly ImmediateSource[] | undefined;

  /** @throws TenantOptionError */
  constructor(private readonly options: IdentifyOptions) {
    this.sources = createSources(options);
    const immediate = this.sources.filter((source) => source.isImmediate);
    if (immediate.length === this.sources.length) this.immediate = immediate;
  }

  get names(): string[] {
    return this.sources.map(({ name }) => name);
  }

  /** Returns undefined if a strategy is a function, because the function may return a promise. */
  readNow(req: TenantRequest): Identification | undefined {
    return this.immediate?.reduce(
      (result, source) =>
        this.isFinal(result) ? result : this.join(result, this.check(source.find(req), source)),
      ABSENT,
    );
  }

  /** Rethrows the errors of a function strategy. */
  async read(req: TenantRequest, trace?: Trace): Promise<Identification> {
    let result = ABSENT;
    for (const source of this.sources) {
      const { name } = source;
      if (this.isFinal(result)) {
        trace?.push({
          name,
          asked: false,
          ok: true,
          text: 'Skipped: an earlier step decided the result.',
        });
        continue;
      }
      const found = await attempt(name, trace, () => source.find(req));
      const answer = this.check(found, source);
      result = this.join(result, answer);
      trace?.push(describeStep(source, answer, result));
    }
    return result;
  }

  private join(before: Identification, next: Identification): Identification {
    if (this.options.combine === 'first' || before.kind !== 'found') return next;
    if (next.kind === 'refused') return next;
    if (next.kind === 'absent' || next.identifier === before.identifier) return before;
    return { kind: 'refused', error: new AmbiguousTenantError('The request') };
  }

  /** Returns true if later strategies cannot change the result. */
  private isFinal({ kind }: Identification): boolean {
    return kind === 'refused' || (kind === 'found' && this.options.combine === 'first');
  }

  private check(found: SourceResult, { name, place }: IdentifierSource): Identification {
    if (found === undefined) return ABSENT;
    if (typeof found !== 'string') return { kind: 'refused', error: found };
    const identifier = checkIdentifier(found, this.options.identifier);
    return identifier === undefined
      ? { kind: 'refused', error: new InvalidTenantError(place) }
      : { kind: 'found', identifier, source: name };
  }
}

/** If the step fails, the trace shows that this step rejected the request. */
export async function attempt<T>(
  name: string,
  trace: Trace | undefined,
  run: () => T | PromiseLike<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    trace?.push({ name, asked: true, ok: false, text });
    throw error;
  }
}

function describeStep(
  { name, place }: IdentifierSource,
  answer: Identification,
  joined: Identification,
): PanelTenantStep {
  const asked = true;
  if (joined.kind === 'refused') {
    return { name, asked, ok: false, text: `${joined.error.message}.` };
  }
  if (answer.kind !== 'found') {
    return { name, asked, ok: true, text: `${place} contains no tenant.` };
  }
  const { identifier } = answer;
  const text = `${place} contains the tenant "${identifier}".`;
  return { name, asked, ok: true, value: identifier, text };
}
