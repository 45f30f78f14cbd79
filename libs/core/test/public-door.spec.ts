import { describe, expect, it } from '@jest/globals';
import * as core from '@fledge/core';
import * as loader from '@fledge/core/loader';
import * as packages from '@fledge/core/packages';

describe('@fledge/core', () => {
  it('exports what it promises, and nothing else', () => {
    expect(Object.keys(core).toSorted()).toEqual([
      'AdapterHookError',
      'Container',
      'ContextModule',
      'ContributorCycleError',
      'CoreError',
      'CoreOptionError',
      'Ctx',
      'DirectServerError',
      'DuplicateContributorError',
      'DuplicateCopyError',
      'ForeignContextError',
      'FromContext',
      'IgnoredSchemaError',
      'IntrospectionRegistry',
      'InvalidContextDecoratorError',
      'LateMountError',
      'MissingContextValueError',
      'MissingPackageError',
      'NoRequestContextError',
      'RequestContext',
      'UnknownContributorDepError',
      'UnmetContributorDependencyError',
      'UnsupportedVersionError',
      'defineAdapter',
      'defineHttpContextDecorator',
      'definePlugin',
    ]);
  });

  it('has an entry for loaders, which needs dataloader', () => {
    expect(Object.keys(loader)).toEqual(['ContextLoader']);
  });

  it('has an entry for packages that build on it', () => {
    expect(Object.keys(packages).toSorted()).toEqual([
      'BeforeClosing',
      'CallObservers',
      'CallerHeaders',
      'CallerTenants',
      'EVENT_STREAM_HEADERS',
      'EventStream',
      'FledgeError',
      'GraphqlSchemas',
      'LONGEST_TIMER_MS',
      'LOOPBACK_HOSTS',
      'PanelSources',
      'RareWarnings',
      'RequestContexts',
      'RequestGate',
      'RequestRevocations',
      'RouteHandlers',
      'TENANT_SCOPE',
      'acceptedRanges',
      'acceptedWeight',
      'afterInit',
      'bindEvents',
      'bodyDecoder',
      'charsetIn',
      'checkHandlers',
      'contextOfRequest',
      'currentRequestContext',
      'dispatchFor',
      'eventJson',
      'eventText',
      'fastifyInternal',
      'forgetLoaders',
      'importPeer',
      'inOwnContext',
      'inOwnContextOfSecond',
      'inSpan',
      'isLoopback',
      'isOwnOrigin',
      'mediaTypeOf',
      'openTelemetry',
      'originOf',
      'pageOrigin',
      'protectPage',
      'readBytes',
      'readJsonBody',
      'readPageFile',
      'refuseSecondImport',
      'resolvesWithin',
      'runMiddlewareLast',
      'sendPageFile',
      'serveDirectly',
      'tenantOfRequest',
      'withDeadline',
      'withhold',
      'withoutOwner',
    ]);
  });

  it('keeps the codes of its errors', () => {
    const codes = [
      new core.NoRequestContextError(),
      new core.MissingContextValueError('a', 'GET'),
      new core.MissingPackageError('ctx.a()', 'a', 'a/b'),
      new core.UnsupportedVersionError('a', '^1.0.0', '2.0.0'),
      new core.DuplicateCopyError([]),
      new core.DuplicateContributorError('a', 'method', 'X.y'),
      new core.UnmetContributorDependencyError('a', 'b', 'X.y'),
      new core.ContributorCycleError(['a', 'a'], 'X.y'),
      new core.UnknownContributorDepError('a', 'b', 'C', 'X.y'),
      new core.IgnoredSchemaError('X.y', 1, '@Body()'),
      new core.AdapterHookError('A', 'shutdown', new Error('x')),
      new core.LateMountError('A', '/a'),
      new core.DirectServerError(),
      new core.InvalidContextDecoratorError('a'),
      new core.CoreOptionError('a'),
      new core.ForeignContextError(),
    ].map(({ code }) => code);
    expect(codes).toEqual([
      'CORE_NO_REQUEST_CONTEXT',
      'CORE_MISSING_CONTEXT_VALUE',
      'CORE_MISSING_PACKAGE',
      'CORE_UNSUPPORTED_VERSION',
      'CORE_DUPLICATE_COPY',
      'CORE_DUPLICATE_CONTRIBUTOR',
      'CORE_UNMET_CONTRIBUTOR_DEPENDENCY',
      'CORE_CONTRIBUTOR_CYCLE',
      'CORE_UNKNOWN_CONTRIBUTOR_DEP',
      'CORE_IGNORED_SCHEMA',
      'CORE_ADAPTER_HOOK_FAILED',
      'CORE_LATE_MOUNT',
      'CORE_DIRECT_SERVER',
      'CORE_INVALID_CONTEXT_DECORATOR',
      'CORE_BAD_OPTION',
      'CORE_FOREIGN_CONTEXT',
    ]);
  });
});
