import { configurableModule } from '@fledge-internal/nest-modules';
import {
  callback,
  oneOf,
  type OptionTable,
  type ReadOptions,
  readOptions,
} from '@fledge-internal/options';
import {
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  Optional,
} from '@nestjs/common';
import { placeOf } from '../../option-rules.js';
import { requireStartupScope } from '../../startup-scope.js';
import { AUDIT_RULES, auditRls, type RlsAuditOptions } from './audit/audit-rls.js';
import { RlsAuditError } from './rls.errors.js';
import type { RlsQuery } from './rls-query.js';

/** Options of `TenantRlsModule.forRoot()`. */
export interface TenantRlsOptions extends RlsAuditOptions {
  /** Sends queries as the application's role: `pgQuery(pool)`. */
  readonly query: RlsQuery;
  /**
   * `strict`: if the audit finds an error, the application does not start. `warn`: errors are only
   * logged.
   * @default 'strict'
   */
  readonly mode?: 'strict' | 'warn';
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = configurableModule<TenantRlsOptions>(
  'TenantRlsModule',
  placeOf,
);

const OPTIONS = {
  ...AUDIT_RULES,
  query: callback<RlsQuery>().required,
  mode: oneOf('strict', 'warn').default('strict'),
} satisfies OptionTable<TenantRlsOptions>;

/** Runs the audit after all modules are initialized, before the application listens. */
@Injectable()
class StartUpAudit implements OnApplicationBootstrap {
  private readonly logger = new Logger('TenantRls');

  private readonly options: ReadOptions<typeof OPTIONS>;

  constructor(@Optional() @Inject(MODULE_OPTIONS_TOKEN) options: TenantRlsOptions) {
    this.options = readOptions(options, OPTIONS, placeOf('TenantRlsModule.forRoot'));
  }

  async onApplicationBootstrap(): Promise<void> {
    const { query, mode, tables, ...audited } = this.options;
    const findings = await auditRls(query, { ...audited, ...(tables && { tables }) }).catch(
      (error: unknown) => {
        // Errors of a driver do not contain the name of this module.
        this.logger.error(
          'The audit of row-level security failed. Check `query` and its database.',
        );
        throw error;
      },
    );
    const errors = findings.filter(({ severity }) => severity === 'error');
    if (mode === 'strict' && errors.length > 0) throw new RlsAuditError(errors);
    for (const { code, subject, message, cure } of findings) {
      this.logger.warn(`${code} ${subject}: ${message} ${cure}`);
    }
  }
}

/**
 * Audits row-level security at startup. If a tenant could see rows of another tenant, the
 * application does not start. Run migrations before startup or in `onModuleInit`.
 *
 * @example
 * ```ts
 * TenantRlsModule.forRootAsync({ inject: [POOL], useFactory: (pool: Pool) => ({ query: pgQuery(pool) }) })
 * ```
 * @throws RlsAuditError, TenantOptionError at startup
 */
@Module({
  providers: [
    StartUpAudit,
    requireStartupScope(MODULE_OPTIONS_TOKEN, 'TenantRlsModule.forRootAsync()'),
  ],
})
export class TenantRlsModule extends ConfigurableModuleClass {}
