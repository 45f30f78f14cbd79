import type { Type } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';

/** Omits values and factories. */
export function classesOf(wrappers: ReturnType<DiscoveryService['getProviders']>): Type[] {
  return wrappers.flatMap(({ metatype }) =>
    typeof metatype === 'function' && metatype.prototype !== undefined ? [metatype as Type] : [],
  );
}
