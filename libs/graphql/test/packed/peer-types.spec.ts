// @apollo/server and graphql-yoga declare their types twice: for ES modules, which the libs use, and for CommonJS. Plugins
// fit in both kinds of applications.
import { expect, it } from '@jest/globals';
import { consumer } from '../../../../test/support/consumer.js';

const PLUGINS = `
  import type { ApolloServerPlugin } from '@apollo/server';
  import { GraphqlContextFactory } from '@fledge/graphql/apollo';
  import { yoga } from '@fledge/graphql/yoga';
  import type { Plugin } from 'graphql-yoga';

  declare const factory: GraphqlContextFactory;
  export const apollo: ApolloServerPlugin<any>[] = [
    GraphqlContextFactory.metricsPlugin(),
    factory.metricsPlugin(),
  ];
  declare const plugin: Plugin;
  declare const general: Plugin<Record<string, unknown>>;
  const kinds: string[] = [];
  export const runtime = yoga({
    plugins: [plugin, general, { onExecute: ({ args }) => void kinds.push(args.document.kind) }],
  });
`;

it.each(['commonjs', 'module'])('plugins compile in a %s application', (type) => {
  const { errors } = consumer('all').compile({
    name: type,
    files: { 'plugins.ts': PLUGINS, 'package.json': JSON.stringify({ type }) },
    compilerOptions: { strict: true },
  });
  expect(errors).toEqual([]);
});
