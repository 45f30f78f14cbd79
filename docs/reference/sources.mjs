// What the generated pages are made of. Paths are relative to libs/<name>/src.
/** @type {Record<string, { options: [heading: string, type: string][], files: string[], errors: string[] }>} */
export const packages = {
  core: {
    options: [
      ['ContextModule.forRoot', 'ContextModuleOptions'],
      ['defineHttpContextDecorator', 'HttpContextDecoratorOptions'],
      ['IntrospectionRegistry.collect', 'CollectOptions'],
    ],
    files: [
      'contributors/context.options.ts',
      'contributors/context-decorator.ts',
      'introspection.registry.ts',
    ],
    errors: ['core.errors.ts'],
  },
  query: {
    options: [
      ['parseQuery, compileQuery, @Qs, @Paginate, QueryPipe', 'QueryOptions'],
      ['QueryModule.forRoot, forRootAsync', 'QueryModuleOptions'],
      ['@Paginated', 'PaginatedOptions'],
    ],
    files: ['query.options.ts', 'nest/paginated.decorator.ts'],
    errors: ['query.errors.ts'],
  },
  tenant: {
    options: [
      ['TenantModule.forRoot, forRootAsync', 'TenantAdapterOptions'],
      [
        'TenantMicroservicesModule.forRoot, TenantRabbitModule.forRoot',
        'TenantMicroservicesOptions',
      ],
      ['TenantSocketsModule.forRoot', 'TenantSocketsOptions'],
      ['TenantModule.forFeature', 'TenantProvider'],
      ['TenantConnectionsModule', 'TenantConnectionOptions'],
      ['TenantLifecycleModule.forRoot, forRootAsync', 'TenantLifecycleOptions'],
      ['TenantLifecycle.migrate, seed, run', 'TenantRunOptions'],
      ['TenantImpersonationModule.forRoot, forRootAsync', 'TenantImpersonationOptions'],
      ['tenantMetricLabel', 'TenantMetricLabelOptions'],
      ['expectNoTenantLeak', 'TenantLeakOptions'],
    ],
    files: [
      'tenant.options.ts',
      'microservices/tenant-microservices.options.ts',
      'websockets/tenant-sockets.options.ts',
      'feature/tenant-provider.ts',
      'connections/tenant-connections.module.ts',
      'lifecycle/lifecycle.options.ts',
      'lifecycle/ledger-connection.ts',
      'impersonation/impersonation.options.ts',
      'observe/tenant-metric-label.ts',
      'testing/expect-no-tenant-leak.ts',
    ],
    pages: [
      {
        page: 'database-options.md',
        about: 'databases and ORMs',
        options: [
          ['rlsSql', 'RlsSqlOptions'],
          ['TenantRlsModule.forRoot, forRootAsync', 'TenantRlsOptions'],
          ['tenantPlugin of /kysely', 'TenantPluginOptions'],
          ['guardTenants of /mikro-orm', 'GuardTenantsOptions'],
          ['guardConnection of /mongoose', 'GuardConnectionOptions'],
          ['mariadbSql', 'MariadbSqlOptions'],
        ],
        files: [
          'rls/rls-sql.ts',
          'rls/audit/audit-rls.ts',
          'rls/tenant-rls.module.ts',
          'guard/guarded-tenant.ts',
          'kysely/tenant-plugin.ts',
          'mikro-orm/guard-tenants.options.ts',
          'mongoose/guard-connection.options.ts',
          'mariadb/mariadb-sql.ts',
        ],
      },
    ],
    errors: [
      'tenant.errors.ts',
      'rls/rls.errors.ts',
      'lifecycle/lifecycle.errors.ts',
      'testing/tenant-leak.errors.ts',
    ],
  },
  mcp: {
    options: [
      ['McpModule.forRoot, forRootAsync', 'McpAdapterOptions'],
      ['endpoints of McpModule.forRoot', 'McpEndpointOptions'],
      ['McpBearerAuthOptions', 'McpBearerAuthOptions'],
      ['McpOidcAuthOptions', 'McpOidcAuthOptions'],
      ['@McpTool', 'McpToolOptions'],
      ['@McpResource', 'McpResourceOptions'],
      ['@McpPrompt', 'McpPromptOptions'],
      ['graphqlOperations', 'GraphqlOperationsOptions'],
      ['graphqlOperations({ operations })', 'GraphqlOperationOptions'],
      ['redisSessions', 'RedisSessionOptions'],
      ['OauthBridgeModule.forRoot, forRootAsync', 'OauthBridgeOptions'],
      ['redisBridgeStore', 'RedisBridgeStoreOptions'],
      ['createMcpTestClient', 'McpTestClientOptions'],
    ],
    files: [
      'mcp.options.ts',
      'options/auth-options.ts',
      'options/endpoint-options.ts',
      'options/server-options.ts',
      'options/search-options.ts',
      'options/session-options.ts',
      'options/resume-options.ts',
      'redis/redis-sessions.ts',
      'options/result-options.ts',
      'decorators/mcp-tool.decorator.ts',
      'decorators/mcp-resource.decorator.ts',
      'decorators/mcp-prompt.decorator.ts',
      'graphql/graphql-operations.options.ts',
      'oauth-bridge/oauth-bridge.options.ts',
      'oauth-bridge/bridge-store.ts',
      'oauth-bridge/redis-bridge-store.ts',
      'testing/mcp-test-client.ts',
    ],
    errors: ['mcp.errors.ts'],
  },
  graphql: {
    options: [
      ['GraphqlMountModule.forRoot, forRootAsync', 'GraphqlMountOptions'],
      ['GraphqlSubscriptionsModule.forRoot', 'GraphqlSubscriptionsOptions'],
      ['GraphqlSubscriptionsModule.forApollo, forMercurius', 'ApolloSubscriptionsOptions'],
      ['GraphqlApolloModule.forRoot', 'GraphqlApolloOptions'],
      ['GraphqlMercuriusModule.forRoot', 'GraphqlMercuriusOptions'],
    ],
    files: [
      'graphql.options.ts',
      'operation/protection.options.ts',
      'operation/document.options.ts',
      'subscriptions/subscription.options.ts',
    ],
    errors: ['graphql.errors.ts'],
  },
  panel: {
    options: [['PanelModule.forRoot', 'PanelOptions']],
    files: ['panel.options.ts'],
    errors: ['panel.errors.ts'],
  },
  cli: { options: [], files: [], errors: ['cli.errors.ts'] },
};

/** First line of a generated page. */
export const GENERATED =
  '<!-- Generated from the comments of the sources: npm run docs -- --reference -->';
