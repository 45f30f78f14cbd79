import { describe, expect, it } from '@jest/globals';
import { ForbiddenException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { RequestContexts } from '../context/request-contexts.js';
import { ContextModule } from '../module/context.module.js';
import { defineHttpContextDecorator } from './context-decorator.js';
import { RequestGate } from './request-gate.js';

const User = defineHttpContextDecorator({ key: 'user', resolve: (ctx) => ctx.headers['x-user'] });
const Own = defineHttpContextDecorator({
  key: 'own',
  resolve: async () => Promise.resolve('mine'),
});
const Lost = defineHttpContextDecorator({ key: 'lost', dependsOn: ['nothing'], resolve: () => 1 });

async function gateOf(contributors: (typeof User)[]) {
  const app = await NestFactory.create(
    { module: class AppModule {}, imports: [ContextModule.forRoot({ contributors })] },
    { logger: false, abortOnError: false },
  );
  return { gate: app.get(RequestGate), contexts: app.get(RequestContexts) };
}

const request = () => ({ headers: { 'x-user': 'ann' }, method: 'GET', url: '/' });
const handler = () => undefined;

describe('RequestGate', () => {
  it('does what happens before a handler: admits, then runs the decorators of all and its own', async () => {
    const { gate, contexts } = await gateOf([User]);
    const admitted: unknown[] = [];
    contexts.register({
      open: () => undefined,
      admit: (execution, ctx) =>
        void admitted.push(execution.getClass(), execution.getHandler(), ctx.get('user')),
    });

    @Own
    class Mount {}
    const ctx = await contexts.open(request());
    await gate.before(Mount, handler)(ctx);
    expect(admitted).toEqual([Mount, handler, undefined]);
    expect([ctx.get('user'), ctx.get('own')]).toEqual(['ann', 'mine']);
  });

  it('hands on what they throw', async () => {
    const { gate, contexts } = await gateOf([]);
    class Mount {}
    const before = gate.before(Mount, handler);
    const ctx = await contexts.open(request());
    expect(before(ctx)).toBeUndefined();
    contexts.register({
      open: () => undefined,
      admit: () => {
        throw new ForbiddenException();
      },
    });
    expect(() => before(ctx)).toThrow(ForbiddenException);
  });

  it('stops the boot where decorators cannot run', async () => {
    const { gate } = await gateOf([Lost]);
    class Mount {}
    expect(() => gate.before(Mount, handler)).toThrow(
      expect.objectContaining({ code: 'CORE_UNMET_CONTRIBUTOR_DEPENDENCY' }),
    );
  });
});
