import {
  ConfigurableModuleBuilder,
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { auditRls, type RlsAuditOptions } from './audit/audit-rls.js';
import { RlsAuditError } from './rls.errors.js';
import type { RlsQuery } from './rls-query.js';

export interface TenantRlsOptions extends RlsAuditOptions {
  /** The way to the database, as the role the application works as: `pgQuery(pool)`. */
  readonly query: RlsQuery;
  /** Whether errors keep the application from starting, or are logged as warnings are. @default 'strict' */
  readonly mode?: 'strict' | 'warn';
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<TenantRlsOptions>().setClassMethodName('forRoot').build();

/** Audits when every module is initialised, and before the application listens. */
@Injectable()
class StartUpAudit implements OnApplicationBootstrap {
  private readonly logger = new Logger('TenantRls');

  constructor(@Inject(MODULE_OPTIONS_TOKEN) private readonly options: TenantRlsOptions) {}

  async onApplicationBootstrap(): Promise<void> {
    const { query, mode = 'strict', ...audited } = this.options;
    const findings = await auditRls(query, audited);
    const errors = findings.filter(({ severity }) => severity === 'error');
    if (mode === 'strict' && errors.length > 0) throw new RlsAuditError(errors);
    for (const { code, subject, message, cure } of findings) {
      this.logger.warn(`${code} ${subject}: ${message} ${cure}`);
    }
  }
}

/**
 * Keeps an application from starting whose database would show a tenant the rows of another. Let
 * migrations run before, or in `onModuleInit`.
 *
 * @example
 * ```ts
 * TenantRlsModule.forRootAsync({ inject: [POOL], useFactory: (pool: Pool) => ({ query: pgQuery(pool) }) })
 * ```
 * @throws RlsAuditError at boot
 */
@Module({ providers: [StartUpAudit] })
export class TenantRlsModule extends ConfigurableModuleClass {}
