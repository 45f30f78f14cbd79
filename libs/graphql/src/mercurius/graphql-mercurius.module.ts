import { readOptions } from '@fledge-internal/options';
import {
  type DynamicModule,
  Inject,
  Module,
  type NestModule,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  ApplicationConfig,
  ExternalContextCreator,
  HttpAdapterHost,
  ModulesContainer,
} from '@nestjs/core';
import { MercuriusContextError } from '../graphql.errors.js';
import type { GraphqlMercuriusOptions } from '../graphql.options.js';
import { LimitCheck, NEST_LIMITS } from '../limits/limit-check.js';
import { GraphqlHostModule } from '../mount/graphql-host.module.js';
import { guardEntities } from '../mount/guard-entities.js';
import { nestEndpoint } from '../mount/nest-endpoint.js';
import { MERCURIUS, placeOf, type ResolvedOperationLimits } from '../option-tables.js';
import { nestGraphqlModules } from '../nest-graphql-modules.js';
import { shareIntrospection, turnIntrospectionOff } from './introspection-off.js';
import { limitOperations } from './limit-operations.js';
import { MercuriusContextFactory } from './mercurius-context-factory.js';
import { MercuriusCounts } from './mercurius-counts.js';
import type { MercuriusInstance } from './mercurius-hooks.js';
import { traceOperations } from './trace-operations.js';

const TRACES_DOCUMENT = Symbol('fledge:TracesDocument');
const INTROSPECTION = Symbol('fledge:Introspection');

/**
 * Adds the request context, the container, counts, limits and spans of operations to `GraphQLModule` of `@nestjs/graphql` with
 * `MercuriusDriver`. Global, so that `GraphQLModule.forRootAsync({ inject: [MercuriusContextFactory] })` works.
 */
@Module({ imports: [GraphqlHostModule] })
export class GraphqlMercuriusModule implements NestModule, OnApplicationBootstrap {
  constructor(
    private readonly counts: MercuriusCounts,
    private readonly host: HttpAdapterHost,
    private readonly modules: ModulesContainer,
    private readonly creator: ExternalContextCreator,
    private readonly config: ApplicationConfig,
    @Inject(NEST_LIMITS) private readonly limits: ResolvedOperationLimits,
    @Inject(TRACES_DOCUMENT) private readonly tracesDocument: boolean,
    @Inject(INTROSPECTION) private readonly introspection: boolean,
  ) {}

  /** @throws GraphqlOptionError for an unknown option or an invalid value */
  static forRoot(options: GraphqlMercuriusOptions = {}): DynamicModule {
    const place = placeOf('GraphqlMercuriusModule.forRoot');
    const { traceDocument, introspection, ...endpoint } = readOptions(options, MERCURIUS, place);
    const { providers, exports } = nestEndpoint(endpoint, 'mercurius');
    return {
      module: GraphqlMercuriusModule,
      global: true,
      providers: [
        ...providers,
        MercuriusCounts,
        MercuriusContextFactory,
        { provide: TRACES_DOCUMENT, useValue: traceDocument },
        { provide: INTROSPECTION, useValue: introspection },
      ],
      exports: [...exports, MercuriusContextFactory],
    };
  }

  /** Nest calls this before it initializes modules, so before GraphQLModule builds its schema. */
  async configure(): Promise<void> {
    const found = await nestGraphqlModules(this.modules, 'GraphqlMercuriusModule');
    for (const graphqlModule of found) {
      guardEntities(graphqlModule, this.creator, this.config);
      shareIntrospection(graphqlModule, this.introspection);
      if (!this.introspection) await turnIntrospectionOff(graphqlModule);
    }
  }

  /**
   * Mercurius is registered now, and the application does not listen yet.
   * @throws MercuriusContextError without Mercurius; MissingPeerError for `limits.cost` without its package
   */
  async onApplicationBootstrap(): Promise<void> {
    const instance = this.host.httpAdapter.getInstance<Partial<MercuriusInstance>>();
    if (!hasMercurius(instance)) throw new MercuriusContextError();
    const check = new LimitCheck(this.limits);
    await check.load();
    limitOperations(instance.graphql, check);
    this.counts.count(instance);
    traceOperations(instance, this.tracesDocument);
  }
}

function hasMercurius(instance: Partial<MercuriusInstance>): instance is MercuriusInstance {
  return instance.graphql !== undefined;
}
