import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import {
  Args,
  Context,
  Field,
  GqlExecutionContext,
  GraphQLModule,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  ResolveField,
  Resolver,
} from '@nestjs/graphql';

export enum Status {
  OPEN = 'open',
  DONE = 'done',
}
registerEnumType(Status, {
  name: 'Status',
  description: 'State of a task',
  valuesMap: { DONE: { description: 'nothing is left to do' } },
});

@ObjectType()
class Comment {
  @Field()
  text!: string;
}

@ObjectType()
class Task {
  @Field(() => ID)
  id!: string;

  @Field()
  title!: string;

  @Field(() => Status)
  status!: Status;
}

@InputType({ description: 'A new task' })
class CreateTaskInput {
  @Field({ description: 'What there is to do' })
  title!: string;

  @Field(() => Status, { defaultValue: Status.OPEN })
  status!: Status;

  @Field(() => Date, { nullable: true })
  due?: Date;

  @Field(() => [CreateTaskInput], { defaultValue: [] })
  subtasks!: CreateTaskInput[];
}

interface GraphqlRequest {
  readonly req: { readonly headers: Readonly<Record<string, string | undefined>> };
}

@Injectable()
class NotEve implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const { req } = GqlExecutionContext.create(execution).getContext<GraphqlRequest>();
    if (req.headers['authorization'] === 'Bearer eve') throw new ForbiddenException('Not for Eve');
    return true;
  }
}

@Resolver(() => Task)
@UseGuards(NotEve)
export class TasksResolver {
  /** The inputs of createTask, as the resolver got them. */
  static readonly created: CreateTaskInput[] = [];

  @Query(() => [Task], { description: 'The tasks of a project' })
  tasks(
    @Args('project', { type: () => ID }) project: string,
    @Args('status', { type: () => Status, nullable: true }) status: Status | null,
    @Args('first', { type: () => Int, description: 'How many' }) first: number,
  ): Task[] {
    return Array.from({ length: Math.min(first, 2) }, (_, i) => ({
      id: `${project}-${i}`,
      title: `Task ${i}`,
      status: status ?? Status.DONE,
    }));
  }

  @Query(() => String, { description: 'The name of the caller', nullable: true })
  me(@Context() { req }: GraphqlRequest): string {
    return req.headers['authorization'] ?? 'nobody';
  }

  @Query(() => String, { nullable: true })
  broken(): string {
    throw new Error('It broke');
  }

  @Mutation(() => Task)
  createTask(@Args('input') input: CreateTaskInput): Task {
    TasksResolver.created.push(input);
    return { id: '1', title: input.title, status: input.status };
  }

  @ResolveField(() => [Comment])
  comments(@Args('first', { type: () => Int }) first: number): Comment[] {
    return Array.from({ length: first }, (_, i) => ({ text: `Comment ${i}` }));
  }
}

export const files = new URL('./tools', import.meta.url).pathname;

/** `GraphQLModule` with Apollo, as an application imports it. */
export function apollo(options: Partial<ApolloDriverConfig> = {}) {
  return GraphQLModule.forRoot<ApolloDriverConfig>({
    driver: ApolloDriver,
    autoSchemaFile: true,
    playground: false,
    ...options,
  });
}
