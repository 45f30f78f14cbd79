import type { PaginatedResponse } from '@fledge/query';
import { QueryPipe } from '@fledge/query/nest';
import { Args, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import { CreateTaskDto, UpdateTaskDto } from '../tasks/task.dto.js';
import { type TaskChange, TaskChanges } from '../tasks/task-changes.js';
import { TASK_QUERY, type TaskQuery } from '../tasks/task-query.js';
import type { Task } from '../tasks/task.js';
import { TasksService } from '../tasks/tasks.service.js';
import { CurrentUser, LoadCompany, LoadUser } from '../users/caller.decorators.js';
import type { User } from '../users/user.js';

@LoadCompany
@LoadUser
@Resolver()
export class TasksResolver {
  constructor(
    private readonly service: TasksService,
    private readonly changes: TaskChanges,
  ) {}

  @Query()
  tasks(
    @Args(new QueryPipe(TASK_QUERY, { onInvalid: 'throw' })) query: TaskQuery,
  ): Promise<PaginatedResponse<Partial<Task>>> {
    return this.service.list(query);
  }

  @Query()
  task(@Args('id') id: number): Promise<Task> {
    return this.service.get(id);
  }

  @Mutation()
  createTask(@Args('input') input: CreateTaskDto, @CurrentUser() user: User): Promise<Task> {
    return this.service.create(input, user);
  }

  @Mutation()
  updateTask(@Args('id') id: number, @Args('input') changes: UpdateTaskDto): Promise<Task> {
    return this.service.update(id, changes);
  }

  @Mutation()
  completeTask(@Args('id') id: number): Promise<Task> {
    return this.service.complete(id);
  }

  @Mutation()
  async deleteTask(@Args('id') id: number): Promise<true> {
    await this.service.delete(id);
    return true;
  }

  @Subscription()
  taskChanged(): AsyncIterableIterator<{ taskChanged: TaskChange }> {
    return this.changes.subscribe();
  }
}
