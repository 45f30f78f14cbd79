import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { TenantOptionError } from '../tenant.errors.js';
import { CentralRoute, readRouteMode, TenantRoute, UniversalRoute } from './route-mode.js';

class Routes {
  list() {
    return [];
  }
}
const descriptor = Object.getOwnPropertyDescriptor(Routes.prototype, 'list')!;

describe('the decorators of routes', () => {
  it('may differ between a class and its method', () => {
    CentralRoute()(Routes);
    expect(readRouteMode(Routes, descriptor.value as Function)).toBe('central');
    TenantRoute()(Routes.prototype, 'list', descriptor);
    TenantRoute()(Routes.prototype, 'list', descriptor);
    expect(readRouteMode(Routes, descriptor.value as Function)).toBe('tenant');
    class Own extends Routes {}
    UniversalRoute()(Own);
    expect(readRouteMode(Own, () => undefined)).toBe('universal');
  });

  it('contradict each other on one method or class', () => {
    const twice = () => UniversalRoute()(Routes.prototype, 'list', descriptor);
    expect(twice).toThrow(TenantOptionError);
    expect(twice).toThrow(
      'Routes.list has two of the decorators @TenantRoute(), @UniversalRoute()',
    );
    expect(() => TenantRoute()(Routes)).toThrow('Routes has two of the decorators');
  });
});
