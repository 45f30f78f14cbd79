import { readOptions } from '@fledge-internal/options';
import type { RequestGate } from '@fledge/core/packages';
import type { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { execute } from 'graphql';
import { operationServices, type RequestDocuments } from '../documents/request-documents.js';
import { GraphqlOptionError, NestGraphqlError, SocketPathTakenError } from '../graphql.errors.js';
import type {
  ApolloSubscriptionsOptions,
  GraphqlSubscriptionsOptions,
} from '../live/subscription.options.js';
import {
  type NestGraphqlModule,
  nestGraphqlModules,
  nestSocketPath,
  type NestSocketOptions,
} from '../nest-graphql-modules.js';
import type { OperationCounts } from '../operation/operation-telemetry.js';
import type { ProtectionOptions } from '../operation/protection.options.js';
import { reportUnknownFields } from '../operation/root-fields.js';
import { validSchema } from '../operation/served-schema.js';
import {
  APOLLO_SUBSCRIPTIONS,
  boundTo,
  placeOf,
  type ResolvedLimits,
  SUBSCRIPTIONS,
} from '../graphql.defaults.js';
import { filterEagerly } from './eager-filter.js';
import { socketPathOf, urlOf } from './socket-path.js';
import type { SocketSetup } from './socket-connection.js';

/** The subscriptions that a module serves. */
export interface SubscriptionSource {
  /** Called before `GraphQLModule` builds its schema. */
  readonly prepare?: () => Promise<void>;
  /** Returns the schema and the options. Called when the application is initialized. */
  readonly load: () => Source | Promise<Source>;
}

interface Source extends Omit<SocketSetup, 'admission'> {
  readonly documents: RequestDocuments;
  readonly limits: ResolvedLimits;
}

export const SUBSCRIPTION_SOURCE = Symbol('fledge:SubscriptionSource');

/** Returns a source that serves the schema in the options. */
export function ownSource(
  given: GraphqlSubscriptionsOptions,
  config: ApplicationConfig,
  gate: RequestGate,
): SubscriptionSource {
  const place = placeOf('GraphqlSubscriptionsModule.forRoot');
  const read = boundTo(given, readOptions(given, SUBSCRIPTIONS, place));
  const { path, rootValue } = read;
  const plain = socketPathOf(path);
  const schema = validSchema('GraphqlSubscriptionsModule', 'schema', () => read.schema);
  reportUnknownFields(rootValue, schema, place);
  const services = operationServices(read, () => schema);
  const load = () => ({
    path: plain,
    url: urlOf(plain, config),
    rootValue,
    ...services,
    execute,
    limits: read,
    // The class and the function replace a controller and its handler. So context decorators for
    // all handlers also apply here.
    before: gate.before(class {}, () => undefined),
  });
  return { load };
}

/** The resolved options of `GraphQLModule` that are used here. */
interface NestOptions
  extends
    NestSocketOptions,
    Pick<ProtectionOptions, 'introspection' | 'validationRules' | 'formatError'> {
  readonly useGlobalPrefix?: boolean;
  readonly installSubscriptionHandlers?: boolean;
  /** The option that enables Mercurius' own subscriptions. */
  readonly subscription?: unknown;
}

/** The functions of GraphqlSubscriptionsModule that serve a `GraphQLModule`. */
export type NestCall = 'forApollo' | 'forMercurius';

interface NestServices {
  readonly modules: ModulesContainer;
  readonly config: ApplicationConfig;
  readonly counts: OperationCounts;
}

/**
 * Returns a source that serves the schema of a `GraphQLModule`. The schema is built when that
 * module is initialized.
 */
export function nestGraphqlSource(
  call: NestCall,
  given: ApolloSubscriptionsOptions,
  { modules, config, counts }: NestServices,
): SubscriptionSource {
  const { path } = given;
  const urlIn = (options: NestOptions) => {
    if (path === undefined) return options.path;
    return options.useGlobalPrefix ? urlOf(socketPathOf(path), config) : socketPathOf(path);
  };
  const modulesOf = () => nestGraphqlModules(modules, `GraphqlSubscriptionsModule.${call}()`);
  const load = async (): Promise<Source> => {
    const found = await modulesOf();
    const { options, host } = servedModule(
      call,
      found,
      (it) => path !== undefined && urlIn(it) === it.path,
    );
    refuseSecondServer(options, urlIn(options));
    const read = readMerged(call, given, options);
    return {
      path: socketPathOf(path ?? options.path),
      url: urlIn(options),
      rootValue: undefined,
      ...operationServices(read, () => host.schema, counts),
      execute,
      limits: read,
      // Nest runs all guards for its resolvers, including core's own guards.
      before: () => undefined,
      guards: read.guardEvents ? 'events' : 'checks',
    };
  };
  if (call === 'forApollo') return { load };
  return { load, prepare: async () => (await modulesOf()).forEach(filterEagerly) };
}

/** @throws NestGraphqlError unless there is exactly one matching `GraphQLModule` */
function servedModule(
  call: NestCall,
  found: readonly NestGraphqlModule[],
  isSelected: (options: NestOptions) => boolean,
) {
  const all = found.map(({ module, host }) => ({
    // The module sets this path when it is initialized.
    options: module.completeOptions as unknown as NestOptions,
    host,
  }));
  const nest = all.length === 1 ? all[0] : all.find(({ options }) => isSelected(options));
  if (nest !== undefined) return nest;
  throw new NestGraphqlError(
    all.map(({ options }) => options.path),
    call,
  );
}

/**
 * Reads the options. For some options, the default is the option of `GraphQLModule`. The plugins of
 * `GraphQLModule` do not apply to sockets.
 */
function readMerged(
  call: NestCall,
  given: ApolloSubscriptionsOptions,
  { introspection, validationRules, formatError }: NestOptions,
) {
  refuseRuleFunction(given, validationRules);
  const merged = {
    ...(introspection !== undefined && { introspection }),
    ...(Array.isArray(validationRules) && { validationRules }),
    ...(formatError && { formatError }),
    ...given,
  };
  const place = placeOf(`GraphqlSubscriptionsModule.${call}`);
  return boundTo(merged, readOptions(merged, APOLLO_SUBSCRIPTIONS, place));
}

/**
 * Mercurius also accepts a function for the rules. The function needs the parameters of an HTTP
 * request. Without its rules, sockets would execute operations that HTTP rejects.
 * @throws GraphqlOptionError for a function, unless the options for sockets contain rules
 */
function refuseRuleFunction(given: ApolloSubscriptionsOptions, validationRules: unknown): void {
  if (typeof validationRules !== 'function') return;
  if (given.validationRules !== undefined || given.operationRules !== undefined) return;
  throw new GraphqlOptionError(
    '`validationRules` of GraphQLModule is a function, which GraphqlSubscriptionsModule.forMercurius() cannot ' +
      'apply to sockets. Set `validationRules` or `operationRules` of forMercurius().',
  );
}

/**
 * Throws if another server uses the same path. Otherwise, `onConnect` of that server would no
 * longer run, but it may authenticate clients.
 */
function refuseSecondServer(options: NestOptions, url: string): void {
  const { subscription, subscriptions, installSubscriptionHandlers } = options;
  if (subscription) throw new SocketPathTakenError(url, '`subscription` of GraphQLModule');
  const own = subscriptions?.['graphql-ws'] ?? installSubscriptionHandlers;
  if (nestSocketPath(options, own) !== url) return;
  throw new SocketPathTakenError(url, '`subscriptions` of GraphQLModule');
}
