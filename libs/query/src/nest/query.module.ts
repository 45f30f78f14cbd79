import { ConfigurableModuleBuilder, type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, ModulesContainer } from '@nestjs/core';
import { checkedSecrets } from '../cursor/cursor-signature.js';
import { checkModuleOptions } from '../query.defaults.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryModuleOptions } from '../query.options.js';
import { Cursors } from './cursors.js';
import { InvalidQueryFilter } from './invalid-query.filter.js';
import { QUERY_OPTIONS } from './query-tokens.js';
import { rejectionLog } from './rejection-log.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<QueryModuleOptions>().setClassMethodName('forRoot').build();

/**
 * Sets the default options of `@Qs()`, `@Paginate()`, `PaginateInterceptor` and `ctx.qs()`, provides `Cursors`, and
 * answers invalid queries with 400. Without the module the built-in defaults apply.
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
    { provide: APP_FILTER, useClass: InvalidQueryFilter },
    Cursors,
  ],
  exports: [QUERY_OPTIONS, Cursors],
})
export class QueryModule extends ConfigurableModuleClass {
  constructor(modules: ModulesContainer) {
    super();
    refuseSecond(modules);
  }

  static override forRoot(options: QueryModuleOptions = {}): DynamicModule {
    return super.forRoot(options);
  }
}

/** The module is global, so the options of one of two would be ignored. */
function refuseSecond(modules: ModulesContainer): void {
  const all = [...modules.values()].filter(({ metatype }) => metatype === QueryModule);
  if (all.length < 2) return;
  throw new InvalidQueryConfigError(
    'QueryModule is imported twice.',
    'Call QueryModule.forRoot() once, in the root module; it is global, so other modules do not need to import it.',
  );
}

function checkedOptions(given: QueryModuleOptions = {}): QueryModuleOptions {
  checkModuleOptions(given);
  const options = { ...given, onReject: given.onReject ?? rejectionLog() };
  if (options.cursors) checkedSecrets(options.cursors.secret);
  return options;
}
