import { TenantProgrammingError } from '../../tenant.errors.js';
import type { RlsFinding } from './audit/rls-finding.js';

/**
 * A name of a PostgreSQL table, column, schema, role, type or setting is invalid.
 * @remarks Correct the name as the message says. The name must be the same as in the database.
 */
export class RlsNameError extends TenantProgrammingError {
  readonly code = 'TENANT_RLS_NAME';

  /**
   * @param what the kind of name, such as `table`
   * @param rule why the name is invalid, or how to write it
   */
  constructor(what: string, name: string, rule: string) {
    super(`${JSON.stringify(name)} cannot be used as a ${what} name. ${rule}.`);
  }
}

/**
 * The query function did not return rows.
 * @remarks Use `drizzleQuery`, `knexQuery`, `kyselyQuery`, `prismaQuery`, `typeormQuery` or
 * `pgQuery`. Your own function must return an array of objects.
 */
export class RlsQueryError extends TenantProgrammingError {
  readonly code = 'TENANT_RLS_QUERY';

  constructor(answer: unknown) {
    super(
      `The query function returned ${answer === null ? 'null' : typeof answer} instead of rows. ` +
        `Use drizzleQuery, knexQuery, kyselyQuery, prismaQuery, typeormQuery or pgQuery, or ` +
        `return an array of objects from your own function.`,
    );
  }
}

/**
 * The role has no permission to call `set_config`. By default, Fledge binds transactions with this
 * function.
 * @remarks Bind transactions with `SET LOCAL`: `tenantAware(adapter, queryOf, { by: 'SET LOCAL'
 * })`.
 */
export class RlsSetConfigError extends TenantProgrammingError {
  readonly code = 'TENANT_RLS_SET_CONFIG';

  constructor(override readonly cause: unknown) {
    super(
      `The transaction could not be bound to its tenant: the role has no permission to call ` +
        `set_config. Use SET LOCAL: tenantAware(adapter, queryOf, { by: 'SET LOCAL' }), or ` +
        `bindTenant(query, { by: 'SET LOCAL' }).`,
    );
  }
}

/**
 * The audit found an error: a tenant could read or write rows of another tenant. Thrown at startup.
 * @remarks Fix each finding in the message. If you have checked a finding, add it to the option
 * `accept`.
 */
export class RlsAuditError extends TenantProgrammingError {
  readonly code = 'TENANT_RLS_AUDIT';

  constructor(readonly findings: readonly RlsFinding[]) {
    const list = findings.map(
      ({ code, subject, message, cure }) => `\n- ${code} ${subject}: ${message} ${cure}`,
    );
    super(
      `Row-level security does not separate the tenants. Fix the findings below. If you checked ` +
        `a finding and the finding is harmless, add 'CODE subject' to the option \`accept\`.` +
        list.join(''),
    );
  }
}
