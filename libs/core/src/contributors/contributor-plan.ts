import { type InjectionToken, Scope, type Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { contextIdOf } from '../context/context-id.js';
import type { OpenContext } from '../context/open-context.js';
import { UnknownContributorDepError } from '../errors.js';
import type { Contributor } from './context-decorator.js';

/** The steps that run before a handler, in order. */
export type ContributorPlan = readonly ContributorStep[];

/** A contributor and its resolved dependencies. */
export interface ContributorStep {
  readonly contributor: Contributor;
  /** Singleton dependencies. */
  readonly deps: Readonly<Record<string, unknown>>;
  /** Request-scoped dependencies. */
  readonly scopedDeps: readonly ScopedDep[];
}

interface ScopedDep {
  readonly name: string;
  readonly token: Type;
}

/** @throws UnknownContributorDepError */
export function stepOf(
  contributor: Contributor,
  moduleRef: ModuleRef,
  route: string,
): ContributorStep {
  const deps: Record<string, unknown> = {};
  const scopedDeps: ScopedDep[] = [];
  for (const [name, anyToken] of Object.entries(contributor.deps)) {
    // ModuleRef accepts any token, but no single overload accepts the union type.
    const token = anyToken as Type;
    const scope = scopeOf(token, moduleRef);
    if (scope === undefined) {
      throw new UnknownContributorDepError(contributor.key, name, labelOf(anyToken), route);
    }
    if (scope === Scope.DEFAULT) deps[name] = moduleRef.get<unknown>(token, { strict: false });
    else scopedDeps.push({ name, token });
  }
  return { contributor, deps, scopedDeps };
}

/** If several resolvers of a request need the step, the later ones wait for the first run. */
export function runOnce(
  step: ContributorStep,
  ctx: OpenContext,
  moduleRef: ModuleRef,
): Promise<void> {
  const contributed = (ctx.contributed ??= new Map<object, Promise<void>>());
  let contribution = contributed.get(step.contributor);
  if (contribution === undefined) {
    contribution = contribute(step, ctx, moduleRef);
    contributed.set(step.contributor, contribution);
  }
  return contribution;
}

async function contribute(
  { contributor, deps, scopedDeps }: ContributorStep,
  ctx: OpenContext,
  moduleRef: ModuleRef,
): Promise<void> {
  const { key, optional, onError } = contributor;
  try {
    const all =
      scopedDeps.length === 0 ? deps : { ...deps, ...(await scoped(scopedDeps, ctx, moduleRef)) };
    ctx.set(key, await contributor.resolve(ctx, all));
  } catch (error) {
    const substitute = await onError?.(error, ctx);
    if (substitute !== undefined) return ctx.set(key, substitute);
    if (!optional) throw error;
  }
}

async function scoped(
  scopedDeps: readonly ScopedDep[],
  ctx: OpenContext,
  moduleRef: ModuleRef,
): Promise<Record<string, unknown>> {
  const contextId = contextIdOf(ctx.req, moduleRef);
  const instances = await Promise.all(
    scopedDeps.map(async ({ name, token }) => [
      name,
      await moduleRef.resolve<unknown>(token, contextId, { strict: false }),
    ]),
  );
  return Object.fromEntries(instances) as Record<string, unknown>;
}

function scopeOf(token: Type, moduleRef: ModuleRef): Scope | undefined {
  try {
    return moduleRef.introspect(token).scope;
  } catch {
    return undefined;
  }
}

function labelOf(token: InjectionToken): string {
  return typeof token === 'function' ? token.name : String(token);
}
