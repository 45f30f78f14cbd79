// If the startup fails, the application is not closed. The process must then end by itself.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type DynamicModule, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { GraphqlMountModule, GraphqlSubscriptionsModule } from '@fledge/graphql';
import { closeAll, createApp, platforms } from '../../../test/support/platforms.js';
import { feed } from './support/feed.js';

afterEach(async () => {
  jest.restoreAllMocks();
  await closeAll();
});

@Injectable()
class Broken implements OnApplicationBootstrap {
  onApplicationBootstrap(): void {
    throw new Error('no database');
  }
}

const REVALIDATED = { revalidate: { everyMs: 60_000 } };

const modules: readonly [string, () => DynamicModule][] = [
  [
    'a mount',
    () => GraphqlMountModule.forRoot({ schema: feed().schema, subscriptions: REVALIDATED }),
  ],
  [
    'GraphqlSubscriptionsModule',
    () => GraphqlSubscriptionsModule.forRoot({ schema: feed().schema, ...REVALIDATED }),
  ],
];

describe.each(platforms)('a failed startup on $name', (platform) => {
  it.each(modules)('leaves no timer that keeps the process alive: %s', async (_name, module) => {
    const started = jest.spyOn(globalThis, 'setInterval');
    const app = await createApp({ imports: [module()], providers: [Broken] }, platform.adapter());
    await expect(app.init()).rejects.toThrow('no database');
    const timers = started.mock.results.map(({ value }) => value as NodeJS.Timeout);
    expect(timers.length).toBeGreaterThan(0);
    expect(timers.some((timer) => timer.hasRef())).toBe(false);
  });
});
