import { Module } from '@nestjs/common';
import { GraphqlMountModule } from '@fledge/graphql';
import { McpModule } from '@fledge/mcp';
import { ContentController } from './content.controller.js';
import { ElicitationController } from './elicitation.controller.js';
import { HeadersController } from './headers.controller.js';
import { InputRequiredController } from './input-required.controller.js';
import { NotificationsController } from './notifications.controller.js';
import { PromptsController } from './prompts.controller.js';
import { ResourcesController } from './resources.controller.js';
import { SamplingController } from './sampling.controller.js';
import { SchemaController } from './schema.controller.js';
import { TasksController } from './tasks.controller.js';

@Module({
  imports: [
    McpModule.forRoot({
      name: 'conformance',
      version: '0.0.0',
      // Several scenarios end without closing their session.
      sessions: { max: 1_000, resume: { retryMs: 500 } },
    }),
    GraphqlMountModule.forRoot({
      typeDefs: 'type Query { hello: String! } type Mutation { greet(name: String!): String! }',
      rootValue: {
        hello: 'world',
        greet: ({ name }: { readonly name: string }) => `Hello, ${name}`,
      },
    }),
  ],
  controllers: [
    ContentController,
    SchemaController,
    NotificationsController,
    ElicitationController,
    SamplingController,
    InputRequiredController,
    ResourcesController,
    PromptsController,
    TasksController,
    HeadersController,
  ],
})
export class AppModule {}
