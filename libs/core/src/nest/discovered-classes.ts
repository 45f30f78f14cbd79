import type { Type } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';

/** The classes among discovered controllers or providers; values and factories are left out. */
export function classesOf(wrappers: ReturnType<DiscoveryService['getProviders']>): Type[] {
  return wrappers.flatMap(({ metatype }) =>
    typeof metatype === 'function' && metatype.prototype !== undefined ? [metatype as Type] : [],
  );
}
