import { quoteIdentifier } from '../sql-names.js';
import { SET_CONFIG } from '../rls-sql.js';
import type { CatalogFacts, RoleFacts, SessionFacts } from './catalog.js';
import { error, warning } from '../../finding.js';
import type { RlsFinding } from './rls-finding.js';
import { listServerFlaws } from './server-flaws.js';

/** Checks the role, the roles that it can become, and the role's sessions. */
export function auditRoles({ session, roles, presets }: CatalogFacts): RlsFinding[] {
  const self = roles.find(({ name }) => name === session.role);
  const cure = `Connect as an ordinary role: CREATE ROLE app LOGIN NOSUPERUSER NOBYPASSRLS.`;
  const preset = presets.map(({ place }) => presetFinding(place));
  if (self?.superuser) {
    const message = 'The role is a superuser. Policies do not apply to superusers.';
    return [error('SUPERUSER', self.name, message, cure), ...preset];
  }
  const bypass = 'The role has BYPASSRLS, so policies do not apply to the role.';
  return [
    ...(self?.bypassrls ? [error('BYPASSRLS', self.name, bypass, cure)] : []),
    ...roles.flatMap((role) => ofReachable(role, session)),
    ...preset,
    ...ofSession(session),
  ];
}

function ofReachable(role: RoleFacts, session: SessionFacts): RlsFinding[] {
  const self = role.name === session.role;
  const subject = self ? role.name : `${session.role} ${role.name}`;
  const [me, other] = [quoteIdentifier(session.role, 'role'), quoteIdentifier(role.name, 'role')];
  const leave =
    role.name === session.login
      ? `Connect as ${me} instead of ${other}.`
      : `REVOKE ${other} FROM ${me};`;
  const unforced = listOf(role.unforced);
  const owns = listOf(role.owns);
  // Owned tables are reported as findings about the table.
  const byOwning = unforced.length > 0 && !role.inherited;
  const powers = [
    ...(role.superuser ? ['is a superuser'] : []),
    ...(role.bypassrls && !self ? ['has BYPASSRLS'] : []),
    ...(role.createrole ? ['has CREATEROLE and can join other roles'] : []),
    ...(role.replication ? ['has REPLICATION and can read the changes of all tenants'] : []),
    ...(role.host ? ['can access files or programs on the server'] : []),
    ...(byOwning ? [`owns ${unforced.join(', ')} without FORCE ROW LEVEL SECURITY`] : []),
  ];
  if (powers.length > 0) {
    const message = `${self ? 'The role' : `The role can become ${role.name}, which`} ${powers.join(', and ')}.`;
    const take = `ALTER ROLE ${me} NOCREATEROLE NOREPLICATION;`;
    return [error('ROLE_ESCAPES', subject, message, self ? take : leave)];
  }
  if (owns.length === 0) return [];
  const may = self ? 'The role owns' : `The role can become ${role.name}, which owns`;
  const message = `${may} ${owns.join(', ')}. An owner can remove policies.`;
  const give = `Make another role the owner of the tables.`;
  return [warning('OWNS_TABLES', subject, message, self ? give : leave)];
}

function presetFinding(place: string): RlsFinding {
  const [kind, name = ''] = place.split(/ (.*)/s);
  const message =
    kind === 'function'
      ? 'The function sets a fixed tenant, so all its callers read the rows of that tenant.'
      : 'The tenant setting has a value before a transaction is bound to a tenant.';
  return error('TENANT_PRESET', place, message, presetCure(kind, name));
}

function presetCure(kind: string | undefined, name: string): string {
  if (kind === 'session') {
    return 'Remove the setting from postgresql.conf, the connection `options` and SET statements.';
  }
  if (kind === 'function') return `ALTER ROUTINE ${name} RESET the setting.`;
  return `ALTER ${kind?.toUpperCase()} ${quoteIdentifier(name, 'role')} RESET the setting.`;
}

function ofSession({ role, setsConfig, serverVersion }: SessionFacts): RlsFinding[] {
  const found: RlsFinding[] = [];
  if (setsConfig) {
    found.push(
      warning(
        'SET_CONFIG_ALLOWED',
        role,
        'The role can call set_config, so SQL injected into a statement can change the tenant.',
        `As a superuser, run REVOKE EXECUTE ON FUNCTION ${SET_CONFIG} FROM PUBLIC; and bind ` +
          `transactions with { by: 'SET LOCAL' }.`,
      ),
    );
  }
  const { cves, fixedIn } = listServerFlaws(serverVersion);
  if (cves.length > 0) {
    const cure = `Update PostgreSQL to ${fixedIn ?? 'a supported version'}.`;
    const message = `This version of PostgreSQL has known vulnerabilities that bypass policies: ${cves.join(', ')}.`;
    found.push(warning('SERVER_VERSION', String(serverVersion), message, cure));
  }
  return found;
}

function listOf(json: string): readonly string[] {
  return JSON.parse(json) as string[];
}
