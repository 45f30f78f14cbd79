import { describe, expect, it } from '@jest/globals';
import * as door from '@fledge/graphql';
import * as apollo from '@fledge/graphql/apollo';
import * as mercurius from '@fledge/graphql/mercurius';
import * as yoga from '@fledge/graphql/yoga';

describe('the public exports of @fledge/graphql', () => {
  it('have these names, and no others', () => {
    expect(Object.keys(door).toSorted()).toEqual([
      'ApolloContextError',
      'BodyReadError',
      'ConnectionHeaderError',
      'DocumentManifestError',
      'GraphqlAdapter',
      'GraphqlContext',
      'GraphqlModuleError',
      'GraphqlMountModule',
      'GraphqlOperations',
      'GraphqlOptionError',
      'GraphqlSchemaError',
      'GraphqlSubscriptionsAdapter',
      'GraphqlSubscriptionsModule',
      'MercuriusContextError',
      'MissingPeerError',
      'NestGraphqlError',
      'SocketPathTakenError',
      'StaleDocumentsError',
      'UnfitPeerError',
      'getGraphqlAdapterToken',
      'graphqlHttp',
    ]);
    expect(Object.keys(apollo).toSorted()).toEqual([
      'GraphqlApolloModule',
      'GraphqlContextFactory',
      'formatApolloError',
    ]);
    expect(Object.keys(mercurius).toSorted()).toEqual([
      'GraphqlMercuriusModule',
      'MercuriusContextFactory',
      'formatMercuriusErrors',
    ]);
    expect(Object.keys(yoga)).toEqual(['yoga']);
  });

  it('keep the codes of their errors', () => {
    const codes = [
      new door.ApolloContextError(),
      new door.BodyReadError(),
      new door.ConnectionHeaderError('a', 'b'),
      new door.DocumentManifestError('a', 'b'),
      new door.GraphqlOptionError('a'),
      new door.GraphqlSchemaError('a', 'b', 'c'),
      new door.MercuriusContextError(),
      new door.MissingPeerError('a', 'b'),
      new door.UnfitPeerError({ name: 'a', install: 'a' }, 'b', 'c'),
      new door.NestGraphqlError([]),
      new door.SocketPathTakenError('/a'),
      new door.StaleDocumentsError('a', []),
    ].map(({ code, name }) => [name, code]);
    expect(codes).toEqual([
      ['ApolloContextError', 'GRAPHQL_NO_APOLLO_CONTEXT'],
      ['BodyReadError', 'GRAPHQL_BODY_READ'],
      ['ConnectionHeaderError', 'GRAPHQL_BAD_CONNECTION_HEADER'],
      ['DocumentManifestError', 'GRAPHQL_BAD_MANIFEST'],
      ['GraphqlOptionError', 'GRAPHQL_BAD_OPTION'],
      ['GraphqlSchemaError', 'GRAPHQL_BAD_SCHEMA'],
      ['MercuriusContextError', 'GRAPHQL_NO_MERCURIUS_CONTEXT'],
      ['MissingPeerError', 'GRAPHQL_MISSING_PEER'],
      ['UnfitPeerError', 'GRAPHQL_UNFIT_PEER'],
      ['NestGraphqlError', 'GRAPHQL_WHICH_NEST_MODULE'],
      ['SocketPathTakenError', 'GRAPHQL_SOCKET_PATH_TAKEN'],
      ['StaleDocumentsError', 'GRAPHQL_STALE_DOCUMENTS'],
    ]);
  });
});
