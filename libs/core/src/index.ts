// nestjs-cls 6 is CommonJS and requires `@nestjs/core`, an ES module since version 12. It must be
// loaded before nestjs-cls: otherwise Node.js 20.19.0 reports a cycle, for example in vitest.
import '@nestjs/core';
export type { ContextRequest, ContextResponse } from './context/platform.js';
export { type ContextMeta, type ContextValue, RequestContext } from './context/request-context.js';
export { Ctx, FromContext } from './context/ctx.decorator.js';
export { ContextModule } from './module/context.module.js';
export type { ContextModuleOptions } from './contributors/context.options.js';
export {
  defineHttpContextDecorator,
  type HttpContextDecorator,
} from './contributors/context-decorator.js';
export type {
  ContributorDeps,
  HttpContextDecoratorOptions,
  ResolvedDeps,
} from './contributors/context-decorator-options.js';
export {
  type CollectOptions,
  type Introspectable,
  type IntrospectionReport,
  IntrospectionRegistry,
  type IntrospectionSnapshot,
} from './contracts/introspection.registry.js';
export type {
  AdapterHooks,
  MiddlewareEntry,
  MountHandler,
  MountPoint,
  PluginHooks,
} from './adapters/adapter.hooks.js';
export { Container } from './adapters/container.js';
export { type AdapterFactory, defineAdapter, definePlugin } from './adapters/define-adapter.js';
export type { AdapterDefinition } from './adapters/mounted-adapter.js';
export {
  AdapterHookError,
  ContributorCycleError,
  CoreError,
  CoreOptionError,
  DirectServerError,
  DuplicateCopyError,
  DuplicateContributorError,
  ForeignContextError,
  IgnoredSchemaError,
  InvalidContextDecoratorError,
  LateMountError,
  MissingContextValueError,
  MissingPackageError,
  NoRequestContextError,
  UnknownContributorDepError,
  UnmetContributorDependencyError,
  UnsupportedVersionError,
} from './errors.js';
