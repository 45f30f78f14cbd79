// GraphQL operations as tools: each file of ../graphql is one. An agent sees the arguments and the comments.
import 'reflect-metadata';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GraphqlMountModule } from '@fledge/graphql';
import { McpModule } from '@fledge/mcp';
import { graphqlOperations } from '@fledge/mcp/graphql';
import { GraphQLError } from 'graphql';

const typeDefs = `
  scalar Date
  type Task {
    id: ID!
    title: String!
    due: Date!
    done: Boolean!
  }
  type Query {
    tasks(first: Int!): [Task!]!
  }
  type Mutation {
    completeTask(id: ID!): Task!
  }`;

const tasks = [
  { id: '1', title: 'Write the minutes', due: '2026-12-01', done: false },
  { id: '2', title: 'Book a room', due: '2026-11-24', done: false },
];

const rootValue = {
  tasks: ({ first }: { first: number }) =>
    tasks
      .filter(({ done }) => !done)
      .toSorted((a, b) => a.due.localeCompare(b.due))
      .slice(0, first),
  completeTask({ id }: { id: string }) {
    const task = tasks.find((candidate) => candidate.id === id);
    if (!task) throw new GraphQLError('No such task', { extensions: { code: 'NOT_FOUND' } });
    return Object.assign(task, { done: true });
  },
};

@Module({
  imports: [
    GraphqlMountModule.forRoot({ typeDefs, rootValue }),
    McpModule.forRoot({
      name: 'tasks',
      sessions: { max: 10 },
      toolSources: [
        graphqlOperations({
          files: join(import.meta.dirname, '../graphql'),
          mutations: 'explicit',
          operations: { CompleteTask: { annotations: { destructiveHint: false } } },
          limits: { cost: 500 },
        }),
      ],
    }),
  ],
})
class AppModule {}

const app = await NestFactory.create(AppModule);
await app.listen(process.env['PORT'] ?? 3000);
