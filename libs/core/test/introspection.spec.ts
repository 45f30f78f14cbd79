import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import {
  ContextModule,
  defineAdapter,
  definePlugin,
  IntrospectionRegistry,
  type IntrospectionSnapshot,
} from '@fledge/core';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';

afterEach(closeAll);

const snapshot = (name: string): IntrospectionSnapshot => ({
  protocolVersion: 1,
  name,
  kind: 'adapter',
  state: { path: '/graphql' },
  metrics: { queries: 0 },
});

@Injectable()
class Feature {
  constructor(registry: IntrospectionRegistry) {
    registry.register({ name: 'Feature', introspect: () => Promise.resolve(snapshot('Feature')) });
  }
}

@Module({ providers: [Feature] })
class FeatureModule {}

describe.each(platforms)('Introspection on $name', (platform) => {
  it('gathers adapters, plugins and whatever registers itself', async () => {
    const Graphql = defineAdapter({
      name: 'GraphqlAdapter',
      build: () => ({ introspect: () => snapshot('GraphqlAdapter') }),
    });
    const Mute = definePlugin({ name: 'Mute', build: () => ({}) });

    @Module({ imports: [FeatureModule, Graphql(), Mute(), ContextModule] })
    class AppModule {}

    const { app } = await serve(AppModule, platform);
    const report = await app.get(IntrospectionRegistry).collect();
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect({ ...report, adapters: report.adapters.toSorted(byName) }).toEqual({
      protocolVersion: 1,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      adapters: [
        snapshot('Feature'),
        snapshot('GraphqlAdapter'),
        { protocolVersion: 1, name: 'Mute', kind: 'plugin', state: {}, metrics: {} },
      ],
      errors: [{ name: 'Mute', message: 'introspect() is missing' }],
    });
  });
});
