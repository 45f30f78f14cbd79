import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Injectable, Module, type Type } from '@nestjs/common';
import {
  ContextModule,
  defineAdapter,
  defineHttpContextDecorator,
  type HttpContextDecorator,
} from '@fledge/core';
import { closeAll, createApp, platforms } from '../../../test/support/platforms.js';

afterEach(closeAll);

function supplies(key: string, dependsOn: string[] = []): HttpContextDecorator {
  return defineHttpContextDecorator({ key, dependsOn, resolve: () => key });
}

/** A module whose one route has these decorators, from the top down. */
function routeWith(decorators: HttpContextDecorator[], imports: unknown[] = [ContextModule]): Type {
  @Controller('tasks')
  class TasksController {
    @Get()
    list() {
      return [];
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(TasksController.prototype, 'list')!;
  for (const decorate of decorators.toReversed()) {
    decorate(TasksController.prototype, 'list', descriptor);
  }
  @Module({ imports: imports as Type[], controllers: [TasksController] })
  class AppModule {}
  return AppModule;
}

describe.each(platforms)('The boot on $name fails', ({ adapter }) => {
  const boot = async (module: Type) => (await createApp(module, adapter())).init();

  const adapterWith = (name: string, key: string) =>
    defineAdapter({ name, build: () => ({ contributors: [supplies(key)] }) })();

  it.each([
    ['method', routeWith([supplies('user'), supplies('user')])],
    [
      'module',
      routeWith(
        [],
        [
          ContextModule.forFeature([supplies('user')]),
          ContextModule.forFeature([supplies('user')]),
        ],
      ),
    ],
    ['adapter', routeWith([], [adapterWith('One', 'user'), adapterWith('Two', 'user')])],
    [
      'global',
      routeWith(
        [],
        [ContextModule.forRoot({ contributors: [supplies('user'), supplies('user')] })],
      ),
    ],
  ])('for two decorators with one key at %s level', async (level, module) => {
    await expect(boot(module)).rejects.toMatchObject({
      code: 'CORE_DUPLICATE_CONTRIBUTOR',
      message: expect.stringContaining(
        `Two decorators set the context key "user" of TasksController.list at ${level} level.`,
      ),
    });
  });

  it('for two decorators with one key on a class', async () => {
    const One = supplies('user');
    const Two = supplies('user');

    @One
    @Two
    @Controller()
    class TwiceController {
      @Get()
      get() {
        return {};
      }
    }

    @Module({ imports: [ContextModule], controllers: [TwiceController] })
    class AppModule {}

    await expect(boot(AppModule)).rejects.toThrow(
      'Two decorators set the context key "user" of TwiceController.get at class level.',
    );
  });

  it('for a dependency that nothing supplies', async () => {
    await expect(boot(routeWith([supplies('user', ['tenant'])]))).rejects.toMatchObject({
      code: 'CORE_UNMET_CONTRIBUTOR_DEPENDENCY',
      message: expect.stringContaining(
        'Context key "user" of TasksController.list depends on "tenant", which is not set for this route.',
      ),
    });
  });

  it.each([
    [['a'], ['a'], 'a → a'],
    [['b'], ['a'], 'a → b → a'],
  ])('for a circle (a depends on %p, b on %p)', async (ofA, ofB, path) => {
    const module = routeWith([supplies('a', ofA), supplies('b', ofB)]);
    await expect(boot(module)).rejects.toMatchObject({
      code: 'CORE_CONTRIBUTOR_CYCLE',
      message: expect.stringContaining(
        `Context keys of TasksController.list depend on each other: ${path}.`,
      ),
    });
  });

  it('for a token in deps that nothing provides', async () => {
    class Users {}
    const LoadUser = defineHttpContextDecorator({
      key: 'user',
      deps: { users: Users },
      resolve: () => 1,
    });
    await expect(boot(routeWith([LoadUser]))).rejects.toMatchObject({
      code: 'CORE_UNKNOWN_CONTRIBUTOR_DEP',
      message: expect.stringContaining(
        'Context key "user" of TasksController.list needs deps.users, but no module provides Users.',
      ),
    });
  });

  it.each([
    ['forRoot', ContextModule.forRoot({ contributer: [] } as object)],
    [
      'forRootAsync',
      ContextModule.forRootAsync({ useFactory: () => ({ contributer: [] }) as object }),
    ],
  ])('for an option that does not exist, by %s', async (_, imported) => {
    await expect(boot(routeWith([], [imported]))).rejects.toMatchObject({
      code: 'CORE_BAD_OPTION',
      message:
        'ContextModule.forRoot({ contributer }) is not an option. Did you mean contributors? ' +
        'The options are contributors.',
    });
  });

  it('for an item of a list that is not a context decorator', async () => {
    class AuthGuard {}
    const item =
      'contributors[0] }) is the function AuthGuard, but must be a decorator made by defineHttpContextDecorator().';
    const imported = ContextModule.forRoot({ contributors: [AuthGuard] as never });
    await expect(boot(routeWith([], [imported]))).rejects.toThrow(
      `ContextModule.forRoot({ ${item}`,
    );
    const Mailer = defineAdapter({
      name: 'Mailer',
      build: () => ({ contributors: [AuthGuard] as never }),
    });
    await expect(boot(routeWith([], [Mailer()]))).rejects.toThrow(
      'is the function AuthGuard, but must be',
    );
    expect(() => ContextModule.forFeature([{ key: 'user' }] as never)).toThrow(
      'ContextModule.forFeature({ [0] }) is an object, but must be',
    );
    expect(() => ContextModule.forFeature(supplies('user') as never)).toThrow(
      'ContextModule.forFeature() is the function decorate, but must be a list.',
    );
  });

  it('for a decorated resolver, which is a provider', async () => {
    const LoadUser = supplies('user', ['tenant']);

    @Injectable()
    class TasksResolver {
      @LoadUser
      tasks() {
        return [];
      }
    }

    @Module({ imports: [ContextModule], providers: [TasksResolver] })
    class AppModule {}

    await expect(boot(AppModule)).rejects.toThrow('of TasksResolver.tasks depends on "tenant"');
  });

  it('but not for one decorator that arrives twice', async () => {
    const LoadTenant = supplies('tenant');
    const features = [
      ContextModule.forFeature([LoadTenant]),
      ContextModule.forFeature([LoadTenant]),
    ];
    await expect(boot(routeWith([], features))).resolves.toBeDefined();
  });

  it('nor for methods that are no routes', async () => {
    const LoadUser = supplies('user', ['tenant']);
    const LoadTenant = supplies('tenant');

    @LoadUser
    @Controller()
    class TasksController {
      @LoadTenant
      @Get()
      get() {
        return this.helper();
      }

      helper() {
        return {};
      }
    }

    @Module({ imports: [ContextModule], controllers: [TasksController] })
    class AppModule {}

    await expect(boot(AppModule)).resolves.toBeDefined();
  });
});
