import { describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { OpenContext } from '../context/opened-context.js';
import { RequestContexts } from '../context/request-contexts.js';
import { defineHttpContextDecorator } from './context-decorator.js';
import { ContributorGuard } from './contributor.guard.js';

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
