import { TenantProgrammingError } from '../tenant.errors.js';
import type { RlsFinding } from './audit/rls-finding.js';

/** A name that can be no table, column, schema, role, type or setting of PostgreSQL. */
export class RlsNameError extends TenantProgrammingError {
  readonly code = 'TENANT_RLS_NAME';

  /**
   * @param what such as `table`
   * @param rule what such a name has to be like
   */
  constructor(what: string, name: string, rule: string) {
    super(`${JSON.stringify(name)} cannot be the name of a ${what}: ${rule}.`);
  }
}

/** What was given as the way to the database answers with something else than rows. */
export class RlsQueryError extends TenantProgrammingError {
  readonly code = 'TENANT_RLS_QUERY';

  constructor(answer: unknown) {
    super(
      `The query function answered ${answer === null ? 'null' : typeof answer} instead of rows. Use ` +
        `drizzleQuery, knexQuery, kyselyQuery, typeormQuery or pgQuery, or resolve to an array of objects.`,
    );
  }
}

/** The role may not call `set_config`, by which transactions are bound unless another way is named. */
export class RlsSetConfigError extends TenantProgrammingError {
  readonly code = 'TENANT_RLS_SET_CONFIG';

  constructor(override readonly cause: unknown) {
    super(
      `The transaction could not be bound to its tenant: the role may not call set_config. Name the ` +
        `other way: tenantAware(adapter, queryOf, { by: 'SET LOCAL' }), or bindTenant(query, { by: 'SET LOCAL' }).`,
    );
  }
}

/** The audit of the module found that a tenant could see rows of another. Thrown at boot. */
export class RlsAuditError extends TenantProgrammingError {
  readonly code = 'TENANT_RLS_AUDIT';

  constructor(readonly findings: readonly RlsFinding[]) {
    const list = findings.map(
      ({ code, subject, message, cure }) => `\n- ${code} ${subject}: ${message} ${cure}`,
    );
    super(
      `Row level security does not keep the tenants apart. Cure what is listed, or name what you ` +
        `checked yourself in \`accept\`, as 'CODE subject'.${list.join('')}`,
    );
  }
}
