import { describe, expect, it } from '@jest/globals';
import { type ExecutionContext, ForbiddenException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { OpenContext } from '../context/open-context.js';
import { RequestContexts } from '../context/request-contexts.js';
import { ContextModule } from '../module/context.module.js';
import { defineHttpContextDecorator } from './context-decorator.js';
import { ContributorGuard, RequestGate } from './contributor.guard.js';

const LoadUser = defineHttpContextDecorator({ key: 'user', resolve: () => 'ann' });
const step = { contributor: LoadUser.contributor, deps: {}, scopedDeps: [] };
const req = { headers: {}, method: 'GET', url: '/' };

/** What the guard says of a call with this plan and these arguments. */
function ask(type: string, args: unknown[], plan: object[] = [step]): unknown {
  const guard = new ContributorGuard(
    { planOf: () => plan } as never,
    {} as never,
    new RequestContexts(),
  );
  return guard.canActivate({
    getType: () => type,
    getClass: () => Object,
    getHandler: () => Object,
    getArgByIndex: (index: number) => args[index],
  } as unknown as ExecutionContext);
}

describe('ContributorGuard', () => {
  it('passes at once where nothing contributes', () => {
    new OpenContext(req, { statusCode: 200 });
    expect(ask('http', [req], [])).toBe(true);
  });

  it.each(['rpc', 'ws'])('leaves %s messages alone', (type) => {
    expect(ask(type, [{}, {}])).toBe(true);
  });

  it('fills the context that a socket runtime hands to a subscription', async () => {
    const ctx = new OpenContext({ ...req }, { statusCode: 200 });
    await expect(ask('graphql', [undefined, {}, { ctx }, {}])).resolves.toBe(true);
    expect(ctx.get('user')).toBe('ann');
  });

  it.each([
    ['http', [{ ...req }]],
    ['graphql', [undefined, {}, { req: { extra: {} } }, {}]],
    ['graphql', [undefined, {}, undefined, {}]],
  ])('refuses to go on without a context (%s)', (type, args) => {
    expect(() => ask(type, args)).toThrow(
      expect.objectContaining({ code: 'CORE_NO_REQUEST_CONTEXT' }),
    );
  });
});

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
