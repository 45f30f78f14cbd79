import type { GraphqlContext } from '@fledge/graphql';
import type { TenantContext } from '@fledge/tenant';
import { Args, ID, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import { CurrentUser, type User } from '../auth/user.js';
import { CreateTaskInput } from './task.dto.js';
import { Task } from './task.entity.js';
import { TasksService } from './tasks.service.js';

@Resolver(() => Task)
export class TasksResolver {
  constructor(private readonly service: TasksService) {}

  @Query(() => [Task])
  tasks() {
    return this.service.list();
  }

  @Query(() => Task)
  task(@Args('id', { type: () => ID }) id: string) {
    return this.service.find(id);
  }

  @Query(() => String)
  me(@CurrentUser() user: User) {
    return user.name;
  }

  @Mutation(() => Task)
  addTask(@Args('input') input: CreateTaskInput) {
    return this.service.add(input);
  }

  @Subscription(() => Task, {
    filter: ({ added }: { added: Task }, _args: object, { ctx }: GraphqlContext) =>
      added.tenant === ctx.get<TenantContext>('tenant')?.tenantId,
  })
  added() {
    return this.service.pubSub.asyncIterableIterator('added');
  }
}
