import { nestAddOf } from './nest-add.js';

// Matches packages of applications that already have a schema. Such applications are not edited,
// because the example would be served at the same path.
const HAS_GRAPHQL =
  'The application serves GraphQL with @nestjs/graphql, by default at /graphql. Keep its schema and add ' +
  'GraphqlApolloModule (docs/apollo.md of @fledge/graphql) or GraphqlMercuriusModule (docs/mercurius.md). A second ' +
  'schema needs its own path: GraphqlMountModule.forRoot({ path: ... }).';

export const nestAdd = nestAddOf(
  {
    module: {
      name: 'GraphqlMountModule',
      call: () =>
        `GraphqlMountModule.forRoot({ typeDefs: 'type Query { hello: String! }', rootValue: { hello: () => 'Hello World!' } })`,
    },
    refuses: ({ dependencies }) => (dependencies.has('@nestjs/graphql') ? HAS_GRAPHQL : undefined),
    next: () => `Next, replace the example: \`typeDefs\` is your schema, and \`rootValue\` contains its root fields. A field
can get providers of the application from the context:

  import type { GraphqlContext } from '@fledge/graphql';

  users: (_args: object, { container }: GraphqlContext) => container.get(UsersService).findAll()

Start the application and send a query:

  curl -H 'content-type: application/json' -d '{"query":"{ hello }"}' http://localhost:3000/graphql`,
  },
  new URL('../../package.json', import.meta.url),
);
