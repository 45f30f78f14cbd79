import { nestAddOf } from './nest-add.js';

export const nestAdd = nestAddOf(
  {
    module: {
      name: 'GraphqlMountModule',
      call: () =>
        `GraphqlMountModule.forRoot({ typeDefs: 'type Query { hello: String! }', rootValue: { hello: () => 'Hello World!' } })`,
    },
    next: () => `Next, replace the example: \`typeDefs\` is your schema, \`rootValue\` has its root fields. A field gets the
application's providers from its context:

  users: (_args, { container }) => container.get(UsersService).findAll()

Start the application and send a query:

  curl -H 'content-type: application/json' -d '{"query":"{ hello }"}' http://localhost:3000/graphql`,
  },
  new URL('../../package.json', import.meta.url),
);
