import 'reflect-metadata';
import { graphqlHttp, GraphqlMountModule } from '@fledge/graphql';
import { Module } from '@nestjs/common';
import { Readable } from 'node:stream';

@Module({
  imports: [
    GraphqlMountModule.forRoot({
      typeDefs: `
        type Query { note(id: ID!): Note }
        type Subscription { notes: Note }
        type Note { id: ID! }`,
      rootValue: {
        note: ({ id }: { id: string }) => ({ id }),
        notes: () => Readable.from([{ notes: { id: '1' } }]),
      },
      runtime: graphqlHttp({ eventStreams: true }),
      subscriptions: true,
    }),
  ],
})
export class AppModule {}
