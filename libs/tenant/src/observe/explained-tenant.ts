import { HttpException } from '@nestjs/common';
import type { PanelTenantAnswer, PanelTenantStep } from '@fledge/core/packages';
import type { TenantDirectory } from '../directory/tenant-directory.js';
import {
  type Identification,
  type IdentifyStep,
  identifyStepsOf,
} from '../identify/identification.js';
import { checkedIdentifier } from '../identify/identifier.js';
import type { TenantContext } from '../tenant-context.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { InvalidTenantError, TenantNotResolvedError } from '../tenant.errors.js';
import type { TenantRequest } from '../tenant.options.js';

/**
 * Finds the tenant of a request with the strategies, the fallback and the directory of the application, and says
 * what each step found. Hooks are not called; guards and `verify` are not run.
 */
export async function explainedTenant(
  request: TenantRequest,
  options: ResolvedTenantOptions,
  directory: TenantDirectory,
): Promise<PanelTenantAnswer> {
  const steps: PanelTenantStep[] = [];
  try {
    const found =
      (await strategies(request, options, steps)) ?? (await fallback(request, options, steps));
    const tenant = await lookUp(found, directory, steps);
    if (options.verify) steps.push(VERIFY);
    return { verdict: { tenant: tenant.tenantId }, steps };
  } catch (error) {
    return { verdict: verdictOf(error), steps };
  }
}

interface Found {
  readonly identifier: string;
  readonly source: string;
}

/** Asks the strategies in order, as `combine` says. Undefined if none found an identifier. */
async function strategies(
  request: TenantRequest,
  options: ResolvedTenantOptions,
  steps: PanelTenantStep[],
): Promise<Found | undefined> {
  const { steps: asked, combination } = identifyStepsOf(options);
  let result: Identification = { kind: 'absent' };
  for (const { name, place, identify } of asked) {
    if (combination.isFinal(result)) {
      steps.push({ name, asked: false, ok: true, text: 'Not asked: an earlier step decided.' });
      continue;
    }
    const answer = await attempted(name, steps, () => identify(request));
    result = combination.join(result, answer);
    steps.push(stepOf({ name, place }, answer, result));
  }
  if (result.kind === 'refused') throw result.error;
  return result.kind === 'found' ? result : undefined;
}

function stepOf(
  { name, place }: Pick<IdentifyStep, 'name' | 'place'>,
  answer: Identification,
  joined: Identification,
): PanelTenantStep {
  const refusal = [answer, joined].find(({ kind }) => kind === 'refused');
  if (refusal?.kind === 'refused') {
    return { name, asked: true, ok: false, text: `${refusal.error.message}.` };
  }
  if (answer.kind !== 'found')
    return { name, asked: true, ok: true, text: `${place} names no tenant.` };
  const { identifier } = answer;
  return { name, asked: true, ok: true, value: identifier, text: `${place} names ${identifier}.` };
}

/** Calls `onTenantNotFound`. */
async function fallback(
  request: TenantRequest,
  { onTenantNotFound, identifier: rule }: ResolvedTenantOptions,
  steps: PanelTenantStep[],
): Promise<Found> {
  if (onTenantNotFound === undefined) throw new TenantNotResolvedError();
  const name = 'onTenantNotFound';
  const given: unknown = await attempted(name, steps, () => onTenantNotFound(request));
  if (typeof given !== 'string' || given === '') {
    steps.push({ name, asked: true, ok: false, text: 'It returned no identifier.' });
    throw new TenantNotResolvedError();
  }
  const identifier = checkedIdentifier(given, rule);
  if (identifier === undefined) {
    const error = new InvalidTenantError('The result of onTenantNotFound');
    steps.push({ name, asked: true, ok: false, text: `${error.message}.` });
    throw error;
  }
  steps.push({
    name,
    asked: true,
    ok: true,
    value: identifier,
    text: `It returned ${identifier}.`,
  });
  return { identifier, source: 'fallback' };
}

async function lookUp(
  { identifier, source }: Found,
  directory: TenantDirectory,
  steps: PanelTenantStep[],
): Promise<TenantContext> {
  const tenant = await attempted('store', steps, () => directory.find(identifier, source));
  const text = `${identifier} is tenant ${tenant.tenantId}, ${tenant.status ?? 'active'}.`;
  steps.push({ name: 'store', asked: true, ok: true, value: tenant.tenantId, text });
  return tenant;
}

/** Runs a step, and lists it as the one that refused the request if it fails. */
async function attempted<T>(
  name: string,
  steps: PanelTenantStep[],
  run: () => T | Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    steps.push({ name, asked: true, ok: false, text });
    throw error;
  }
}

const VERIFY: PanelTenantStep = {
  name: 'verify',
  asked: false,
  ok: true,
  text: 'Not tested: it compares the tenant with the user, whom the guards of the route find first.',
};

function verdictOf(error: unknown): PanelTenantAnswer['verdict'] {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof HttpException)) return { status: 500, message };
  const { code } = error as { code?: unknown };
  return { status: error.getStatus(), ...(typeof code === 'string' && { code }), message };
}
