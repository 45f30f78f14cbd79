import { configurableModule } from '@fledge-internal/nest-modules';
import { type DynamicModule, Global, Module, Logger } from '@nestjs/common';
import { APP_INTERCEPTOR, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { checkedSecrets } from '../page/cursor-signature.js';
import { checkModuleOptions, placeOfCall } from '../query.defaults.js';
import { InvalidQueryConfigError, type QueryProblem } from '../query.errors.js';
import type { QueryModuleOptions } from '../query.options.js';
import { Cursors } from './cursors.js';
import { answersQueryMethod, hasUrlPipe } from './described-query.js';
import { InvalidQueryInterceptor } from './invalid-query.interceptor.js';
import { LinkHeaderInterceptor } from './link-header.interceptor.js';
import { QUERY_OPTIONS } from './query-tokens.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = configurableModule<QueryModuleOptions>(
  'QueryModule',
  placeOfCall,
);

/**
 * Sets the default options of `@Qs()`, `@Paginate()` and `ctx.qs()`. Provides `Cursors`. Rejects
 * invalid queries with 400 on every route. Can also set the `Link` header. Without the module, the
 * built-in defaults apply.
 *
 * @example
 * ```ts
 * @Module({ imports: [QueryModule.forRoot({ maxLimit: 50 })] })
 * export class AppModule {}
 * ```
 */
@Global()
@Module({
  providers: [
    {
      provide: QUERY_OPTIONS,
      useFactory: checkedOptions,
      inject: [{ token: MODULE_OPTIONS_TOKEN, optional: true }],
    },
    { provide: APP_INTERCEPTOR, useClass: InvalidQueryInterceptor },
    { provide: APP_INTERCEPTOR, useClass: LinkHeaderInterceptor },
    Cursors,
  ],
  exports: [QUERY_OPTIONS, Cursors],
})
export class QueryModule extends ConfigurableModuleClass {
  constructor(modules: ModulesContainer) {
    super();
    refuseSecond(modules);
    refuseUrlPipes(modules);
  }

  static override forRoot(options: QueryModuleOptions = {}): DynamicModule {
    return super.forRoot(options);
  }
}

/** Rejects a second module. The module is global, so one of the two modules would be ignored. */
function refuseSecond(modules: ModulesContainer): void {
  const all = [...modules.values()].filter(({ metatype }) => metatype === QueryModule);
  if (all.length < 2) return;
  throw new InvalidQueryConfigError(
    'QueryModule is imported twice.',
    'Call QueryModule.forRoot() once, in the root module; it is global, so other modules do not need to import it.',
  );
}

/**
 * A `QueryPipe` would ignore the filters in the body of HTTP QUERY, because it reads only the URL.
 * @throws InvalidQueryConfigError
 */
function refuseUrlPipes(modules: ModulesContainer): void {
  const controllers = [...modules.values()].flatMap((each) => [...each.controllers.values()]);
  const scanner = new MetadataScanner();
  for (const { metatype } of controllers) {
    if (typeof metatype !== 'function') continue;
    const prototype = metatype.prototype as Record<string, Function>;
    for (const name of scanner.getAllMethodNames(prototype)) {
      if (!answersQueryMethod(prototype[name]!) || !hasUrlPipe(metatype, name)) continue;
      throw new InvalidQueryConfigError(
        `${metatype.name}.${name} handles HTTP QUERY, but @Query(new QueryPipe()) reads only the URL.`,
        'Use @Qs(), which also reads the body, or @Body(new QueryPipe()).',
      );
    }
  }
}

function checkedOptions(given: QueryModuleOptions = {}): QueryModuleOptions {
  checkModuleOptions(given);
  const options = { ...given, onReject: given.onReject ?? rejectionLog() };
  if (options.cursors) checkedSecrets(options.cursors.secret);
  return options;
}

/** Maximum number of logged problems per query. Otherwise, a client could fill the log. */
const SPELLED_OUT = 5;

/** Returns a callback for `onReject`. It logs one line per query at debug level. */
function rejectionLog(logger = new Logger('QueryModule')): (problem: QueryProblem) => void {
  let problems: QueryProblem[] = [];
  const flush = (): void => {
    const [first, ...others] = problems.splice(0, SPELLED_OUT).map((each) => JSON.stringify(each));
    const more = problems.length === 0 ? '' : `, and ${problems.length} more`;
    problems = [];
    logger.debug(`Problems in a query: ${[first, ...others].join(', ')}${more}`);
  };
  return (problem) => {
    if (!Logger.isLevelEnabled('debug')) return;
    // Parsing is synchronous. All problems before the next microtask belong to the same query.
    if (problems.push(problem) === 1) queueMicrotask(flush);
  };
}
