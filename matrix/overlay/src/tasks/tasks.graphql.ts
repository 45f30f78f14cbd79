import type { GraphqlContext } from '@fledge/graphql';
import type { Reader } from './load-reader.js';
import { TasksService } from './tasks.service.js';

export const typeDefs = `
  type Task { id: Int!, title: String! }
  type Query { tasks: [Task!]!, reader: String }
  type Subscription { added: Task! }
`;

export const rootValue = {
  tasks: (_args: object, { container }: GraphqlContext) => container.get(TasksService).list(),
  reader: (_args: object, { ctx }: GraphqlContext) => ctx.get<Reader>('reader')?.name,
  async *added(_args: object, { ctx, container }: GraphqlContext) {
    const signal = ctx.require<AbortSignal>('signal');
    for await (const added of container.get(TasksService).added(signal)) yield { added };
  },
};
