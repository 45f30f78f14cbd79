// Before nestjs-cls: see index.ts.
import '@nestjs/core';
import type { Type } from '@nestjs/common';
import { ClsModule, ContextClsStoreMap } from 'nestjs-cls';
import { createRequire } from 'node:module';

/** From a request to its store. The guard and the interceptor of nestjs-cls read this map. */
export type StoreMap = Pick<typeof ContextClsStoreMap, 'getByRaw' | 'setByRaw'>;

/**
 * Returns the maps of each build of nestjs-cls that an application uses, or an empty list.
 * nestjs-cls 7 has one build for `import` and one for `require`. This package loads the first
 * build, and CommonJS applications load the second. The builds share the stores, but each has its
 * own map.
 * @param modules the classes of the application's modules
 */
export function storeMapsOf(modules: readonly Type[]): readonly StoreMap[] {
  const used = new Set(modules.filter(({ name }) => name === ClsModule.name));
  const maps: StoreMap[] = [];
  if (used.delete(ClsModule)) maps.push(ContextClsStoreMap);
  const required = used.size > 0 ? requiredBuild() : undefined;
  if (required && used.has(required.ClsModule)) maps.push(required.ContextClsStoreMap);
  for (const map of maps) known.add(map);
  return maps;
}

/** Supports each build of nestjs-cls that an application uses. */
export function isStoreOf(req: object, store: object): boolean {
  for (const map of known) if (map.getByRaw(req) === store) return true;
  return false;
}

const known = new Set<StoreMap>([ContextClsStoreMap]);

function requiredBuild(): typeof import('nestjs-cls') | undefined {
  try {
    return createRequire(import.meta.url)('nestjs-cls') as typeof import('nestjs-cls');
  } catch {
    // The application's ClsModule is from another package, so there is no second build.
    return undefined;
  }
}
