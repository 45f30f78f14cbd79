import {
  callback,
  kind,
  type OptionTable,
  type ReadOptions,
  readOptions,
  texts,
} from '@fledge-internal/options';
import { placeOf } from '../../option-rules.js';
import { currentScope, currentTenant } from '../../scope/tenant-scope.js';
import { TenantOptionError, TenantUnguardedError } from '../../tenant.errors.js';
import { GUARD_RULES, guardedTenantId, type TenantGuardOptions } from '../guarded-tenant.js';
import { type CollectionScope, guardCollection } from './guarded-collection.js';
import { isId, type OwnDocuments } from './own-documents.js';

/** Options of `guardConnection()`. */
export interface GuardConnectionOptions extends TenantGuardOptions {
  /**
   * Collections whose documents belong to no tenant. Use the names in the database, such as
   * `countries`.
   * @default []
   */
  readonly shared?: readonly string[];
  /**
   * Name of the field with the tenant's id. The field must be at the top level of the document.
   * @default 'tenantId'
   */
  readonly field?: string;
  /**
   * Converts the tenant's id to the value in documents: `(id) => new Types.ObjectId(id)`. The value
   * must be a string, number, bigint, ObjectId or UUID.
   * @default the id as a string
   */
  readonly stored?: (tenantId: string) => unknown;
}

/**
 * A connection of Mongoose: `mongoose.connection`, or the result of `mongoose.createConnection()`.
 */
export interface GuardableConnection {
  readonly collections: object;
  collection(name: string, options?: object): unknown;
}

/** The parts of a connection that the guard uses. */
interface Connection extends GuardableConnection {
  readonly collections: Record<string, object>;
  collection(name: string, options?: object): object;
  useDb(name: string, options?: object): Connection;
  /** Mongoose emits `model` after it has compiled a model. */
  on(event: 'model', listener: (model: { readonly schema: Schema }) => void): unknown;
  /** Runs a pipeline on the whole database. Exists since Mongoose 8.10. */
  aggregate?(pipeline: object[], options?: object): unknown;
  createCollection(name: string, options?: { readonly viewOn?: string }): Promise<unknown>;
  dropCollection(name: string): Promise<unknown>;
  dropDatabase(): Promise<unknown>;
}

interface Schema {
  path(
    name: string,
  ): { defaultValue?: unknown; default(value: (this: Defaulted) => unknown): void } | undefined;
}

/** A document that Mongoose creates or loads. Only the class of a top-level document has a collection. */
interface Defaulted {
  readonly constructor?: { readonly collection?: object };
}

/**
 * Adds the current tenant to all models of a connection. Filters the documents that the models
 * read, change or delete. Sets the tenant of new documents. The guard runs after Mongoose's hooks,
 * when Mongoose calls the driver. No option of a query can skip the guard. Protects against a
 * forgotten condition, but not against code that bypasses Mongoose.
 *
 * Call this function before the models are created. New documents then have their tenant before
 * they are saved.
 *
 * @returns the connection
 * @example
 * ```ts
 * MongooseModule.forRoot(url, {
 *   connectionFactory: (connection) => guardConnection(connection, { shared: ['countries'] }),
 * });
 * ```
 * @throws TenantOptionError if the connection is already guarded. Its calls throw
 * TenantContextMissingError, TenantRowMismatchError and TenantUnguardedError.
 */
export function guardConnection<C extends GuardableConnection>(
  connection: C,
  options: GuardConnectionOptions = {},
): C {
  if (guardedConnections.has(connection)) {
    throw new TenantOptionError(
      'The connection is already guarded. Call guardConnection() only once for each connection.',
    );
  }
  guard(
    connection as unknown as Connection,
    readOptions(options, OPTIONS, placeOf('guardConnection')),
  );
  return connection;
}

const guardedConnections = new WeakSet();
/** The value is undefined for shared collections. */
const guardedCollections = new WeakMap<object, ReadOptions<typeof OPTIONS> | undefined>();

const OPTIONS = {
  ...GUARD_RULES,
  shared: texts.default([]),
  // Documents have no top-level field with a dot. The driver would add one next to the nested field.
  field: kind<string>(
    'the name of a top-level field, without "." and without "$" at the start',
    (value) => typeof value === 'string' && /^[^$.][^.]*$/.test(value),
  ).default('tenantId'),
  stored: callback<NonNullable<GuardConnectionOptions['stored']>>().default((id) => id),
} satisfies OptionTable<GuardConnectionOptions>;

function guard(connection: Connection, options: ReadOptions<typeof OPTIONS>): void {
  guardedConnections.add(connection);
  const scope: CollectionScope = {
    ownIn: (collection) => ownDocuments(collection, options),
    isOpen: () => options.central === 'all' && currentScope()?.kind === 'central',
    inTenant: () => currentTenant() !== undefined,
  };
  const guarded = (name: string, collection: object) => {
    if (!guardedCollections.has(collection)) guardCollection(name, collection, scope);
    guardedCollections.set(collection, options.shared.includes(name) ? undefined : options);
    return collection;
  };
  for (const [name, collection] of Object.entries(connection.collections)) {
    guarded(name, collection);
  }
  const collection = connection.collection.bind(connection);
  const useDb = connection.useDb.bind(connection);
  Object.assign(connection, {
    collection: (name: string, more?: object) => guarded(name, collection(name, more)),
    useDb(name: string, more?: object) {
      const other = useDb(name, more);
      if (!guardedConnections.has(other)) guard(other, options);
      return other;
    },
    ...guardedMethods(connection, scope),
  });
  connection.on('model', ({ schema }) => fillIn(schema, options.field));
}

/** These methods read or change documents without a collection object. */
function guardedMethods(connection: Connection, { isOpen, inTenant }: CollectionScope) {
  const aggregate = connection.aggregate?.bind(connection);
  const createCollection = connection.createCollection.bind(connection);
  const dropCollection = connection.dropCollection.bind(connection);
  const dropDatabase = connection.dropDatabase.bind(connection);
  // Allowed, because tests and migrations call it without a tenant.
  const administer = async (method: string, run: () => Promise<unknown>) =>
    inTenant()
      ? refuse(method, 'Call this method without a tenant, for example in a migration')
      : run();
  return {
    bulkWrite: () =>
      Promise.resolve().then(() => refuse('bulkWrite', 'Call bulkWrite() of a model')),
    watch: () => refuse('watch', 'Use the MongoDB driver and filter by tenant yourself'),
    ...(aggregate && {
      // The pipeline is not filtered here, because callers can add stages after this call.
      aggregate: (pipeline: object[], options?: object) =>
        isOpen()
          ? aggregate(pipeline, options)
          : refuse('aggregate', 'Call aggregate() of a model'),
    }),
    createCollection: async (name: string, options?: { readonly viewOn?: string }) =>
      options?.viewOn === undefined
        ? createCollection(name, options)
        : administer('createCollection', () => createCollection(name, options)),
    dropCollection: (name: string) => administer('dropCollection', () => dropCollection(name)),
    dropDatabase: () => administer('dropDatabase', () => dropDatabase()),
  };
}

function ownDocuments(
  collection: string,
  { shared, field, stored, ...options }: ReadOptions<typeof OPTIONS>,
): OwnDocuments | undefined {
  if (shared.includes(collection)) return undefined;
  const tenantId = guardedTenantId(options, 'A query');
  if (tenantId === undefined) return undefined;
  return { field, value: storedId(stored, tenantId), place: `${collection}.${field}` };
}

/**
 * Adds a default value. A `required` field then has a value before validation. The function finds
 * the options by the document, because other connections, shared collections and subdocuments may
 * use the same schema.
 */
function fillIn(schema: Schema, field: string): void {
  const path = schema.path(field);
  if (!path || path.defaultValue !== undefined) return;
  path.default(function () {
    const { collection } = this?.constructor ?? {};
    const options = collection && guardedCollections.get(collection);
    const tenant = currentTenant();
    if (!tenant || options?.field !== field) return undefined;
    return storedId(options.stored, tenant.tenantId);
  });
}

/** @throws TenantOptionError if the guard cannot compare the value with values in documents */
function storedId(stored: (tenantId: string) => unknown, tenantId: string): unknown {
  const value = stored(tenantId);
  if (isId(value)) return value;
  throw new TenantOptionError(
    'guardConnection({ stored }) returned a value that is not a string, number, bigint, ObjectId ' +
      'or UUID. Return the id as one of these types.',
  );
}

function refuse(method: string, cure: string): never {
  throw new TenantUnguardedError(
    `connection.${method}()`,
    'this method reads or changes the documents of all tenants',
    cure,
  );
}
