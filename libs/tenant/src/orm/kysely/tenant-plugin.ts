import { type OptionTable, type ReadOptions, readOptions, texts } from '@fledge-internal/options';
import type {
  CreateTableNode,
  CreateViewNode,
  KyselyPlugin,
  OperationNode,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely';
import { GUARD_RULES, guardedTenantId, type TenantGuardOptions } from '../guarded-tenant.js';
import { filledName, placeOf } from '../../option-rules.js';
import { TenantRowMismatchError, TenantUnguardedError } from '../../tenant.errors.js';
import { listedTables, type ListedTables } from './listed-tables.js';
import { renderRaw } from './raw-fragment.js';
import { TenantTransformer } from './tenant-transformer.js';

/** Options of `tenantPlugin()`. */
export interface TenantPluginOptions extends TenantGuardOptions {
  /**
   * Tables with rows of tenants. Use the names in the database, such as `note` or
   * `billing.invoice`.
   */
  readonly tables: readonly string[];
  /**
   * Tables whose rows belong to no tenant. The query builder rejects tables that are in neither
   * list. Raw SQL may use them.
   * @default []
   */
  readonly shared?: readonly string[];
  /** Column with the tenant's id. @default 'tenant_id' */
  readonly column?: string;
}

const OPTIONS = {
  ...GUARD_RULES,
  tables: texts.required,
  shared: texts.default([]),
  column: filledName.default('tenant_id'),
} satisfies OptionTable<TenantPluginOptions>;

/**
 * Adds the current tenant to all queries. Filters the rows that queries read, update and delete.
 * Sets the tenant of inserted rows. Protects against a forgotten condition, but not against code
 * that bypasses Kysely.
 *
 * @example
 * ```ts
 * new Kysely<DB>({ dialect, plugins: [tenantPlugin({ tables: ['note'], shared: ['country'] })] });
 * ```
 * @throws TenantOptionError Its queries throw TenantContextMissingError, TenantRowMismatchError and
 * TenantUnguardedError.
 */
export function tenantPlugin(options: TenantPluginOptions): KyselyPlugin {
  const read = readOptions(options, OPTIONS, placeOf('tenantPlugin'));
  return new TenantPlugin(read, listedTables(read.tables, read.shared));
}

/** Statements that define tables. They do not read or change rows. */
const DEFINES = /^(Alter|Create|Drop|Refresh)/;

class TenantPlugin implements KyselyPlugin {
  /**
   * The tenants for which each query was compiled. If another tenant executes a query builder, the
   * query is compiled again.
   */
  private readonly compiledFor = new WeakMap<object, Set<string | undefined>>();

  constructor(
    private readonly options: ReadOptions<typeof OPTIONS>,
    private readonly tables: ListedTables,
  ) {}

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    if (DEFINES.test(node.kind)) return refuseQueryIn(node);
    const tenantId = this.tenantId();
    const tenants = this.compiledFor.get(queryId) ?? new Set();
    this.compiledFor.set(queryId, tenants.add(tenantId));
    if (tenantId === undefined) return node;
    const { column } = this.options;
    return new TenantTransformer(this.tables, column, tenantId).transformNode(node, queryId);
  }

  /** A compiled query keeps its tenant, so another tenant must not get the results. */
  transformResult({
    result,
    queryId,
  }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const tenants = this.compiledFor.get(queryId);
    if (tenants !== undefined && !tenants.has(this.tenantId())) {
      return Promise.reject(new TenantRowMismatchError('A query that was compiled earlier'));
    }
    return Promise.resolve(result);
  }

  private tenantId(): string | undefined {
    return guardedTenantId(this.options, 'A query');
  }
}

type DefinedByQuery = Pick<CreateViewNode, 'as'> &
  Pick<CreateTableNode, 'selectQuery' | 'endModifiers'>;

/** Finds `as select ...` at the end of CREATE TABLE. MariaDB does not need the `as`. */
const READS_ROWS = /\bselect\b|\bas\s*\(?\s*(\?|table\b)/i;

/** @throws TenantUnguardedError if a view or table is created from a query, also from raw SQL */
function refuseQueryIn<N extends OperationNode>(node: N): N {
  const { as, selectQuery, endModifiers = [] } = node as DefinedByQuery;
  const isFromQuery =
    as !== undefined ||
    selectQuery !== undefined ||
    endModifiers.some((modifier) => READS_ROWS.test(renderRaw(modifier)));
  if (isFromQuery) {
    throw new TenantUnguardedError(
      'A view or table that is created from a query',
      'the view or table would show the rows of one tenant to other tenants',
      'Use db.withoutPlugins()',
    );
  }
  return node;
}
