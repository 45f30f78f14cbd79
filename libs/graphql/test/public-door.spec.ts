import { describe, expect, it } from '@jest/globals';
import * as door from '@fledge/graphql';
import * as apollo from '@fledge/graphql/apollo';
import * as yoga from '@fledge/graphql/yoga';

describe('the public exports of @fledge/graphql', () => {
  it('have these names, and no others', () => {
    expect(Object.keys(door).toSorted()).toEqual([
      'ApolloContextError',
      'BodyReadError',
      'ConnectionHeaderError',
      'GraphqlAdapter',
      'GraphqlContext',
      'GraphqlModuleError',
      'GraphqlMountModule',
      'GraphqlOperations',
      'GraphqlOptionError',
      'GraphqlSchemaError',
      'GraphqlSubscriptionsAdapter',
      'GraphqlSubscriptionsModule',
      'MissingPeerError',
      'NestGraphqlError',
      'SocketPathTakenError',
      'getGraphqlAdapterToken',
      'graphqlHttp',
    ]);
    expect(Object.keys(apollo).toSorted()).toEqual([
      'GraphqlApolloModule',
      'GraphqlContextFactory',
      'formatApolloError',
    ]);
    expect(Object.keys(yoga)).toEqual(['yoga']);
  });

  it('keep the codes of their errors', () => {
    const codes = [
      new door.ApolloContextError(),
      new door.BodyReadError(),
      new door.ConnectionHeaderError('a', 'b'),
      new door.GraphqlOptionError('a'),
      new door.GraphqlSchemaError('a', 'b', 'c'),
      new door.MissingPeerError('a', 'b'),
      new door.NestGraphqlError([]),
      new door.SocketPathTakenError('/a'),
    ].map(({ code, name }) => [name, code]);
    expect(codes).toEqual([
      ['ApolloContextError', 'GRAPHQL_NO_APOLLO_CONTEXT'],
      ['BodyReadError', 'GRAPHQL_BODY_READ'],
      ['ConnectionHeaderError', 'GRAPHQL_BAD_CONNECTION_HEADER'],
      ['GraphqlOptionError', 'GRAPHQL_BAD_OPTION'],
      ['GraphqlSchemaError', 'GRAPHQL_BAD_SCHEMA'],
      ['MissingPeerError', 'GRAPHQL_MISSING_PEER'],
      ['NestGraphqlError', 'GRAPHQL_WHICH_NEST_MODULE'],
      ['SocketPathTakenError', 'GRAPHQL_SOCKET_PATH_TAKEN'],
    ]);
  });
});
