import { describe, expect, it } from '@jest/globals';
import { Injectable, Scope } from '@nestjs/common';
import { ContextIdFactory, NestFactory } from '@nestjs/core';
import { RequestContexts } from '../context/request-contexts.js';
import { ContextModule } from '../module/context.module.js';
import { Container } from './container.js';

@Injectable()
class Shared {}

@Injectable({ scope: Scope.REQUEST })
class PerRequest {}

const application = async () => {
  const app = await NestFactory.create(
    {
      module: class AppModule {},
      imports: [ContextModule],
      providers: [Container, Shared, PerRequest],
    },
    { logger: false, abortOnError: false },
  );
  return { container: app.get(Container), contexts: app.get(RequestContexts) };
};
const request = () => ({ headers: {}, method: 'GET', url: '/' });

describe('Container.of()', () => {
  it('has the providers of its request, whichever is being served', async () => {
    const { container, contexts } = await application();
    const [one, two] = [await contexts.open(request()), await contexts.open(request())];
    const ofOne = container.of(one);
    const instance = await ofOne.resolve(PerRequest);
    await contexts.run(two, async () => {
      expect(await ofOne.resolve(PerRequest)).toBe(instance);
      expect(await container.resolve(PerRequest)).not.toBe(instance);
    });
    expect(await contexts.run(one, () => container.resolve(PerRequest))).toBe(instance);
    expect(ofOne.get(Shared)).toBe(container.get(Shared));
    expect(() => ofOne.get(PerRequest)).toThrow();
  });
});

describe('Container.contextIdOf()', () => {
  it('gives a request the id that Nest finds', async () => {
    const { container, contexts } = await application();
    const req = request();
    const ctx = await contexts.open(req);
    expect(ContextIdFactory.getByRequest(req)).not.toBe(ContextIdFactory.getByRequest(req));
    expect(container.contextIdOf(ctx)).toBe(ContextIdFactory.getByRequest(req));
    expect(container.contextIdOf(ctx)).toBe(container.contextIdOf(ctx));
  });
});
