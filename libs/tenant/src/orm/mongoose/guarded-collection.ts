import { TenantUnguardedError } from '../../tenant.errors.js';
import { guardAggregationCursor, guardFindCursor } from './guarded-cursor.js';
import { guardedPipeline, type OwnIn } from './guarded-pipeline.js';
import {
  checkCollation,
  checkUpsertFilter,
  type Document,
  filled,
  filtered,
  guardedUpdate,
  type OwnDocuments,
} from './own-documents.js';

type Guard = (args: readonly unknown[], own: OwnDocuments) => readonly unknown[];

const byFilter: Guard = ([filter, options, ...more], own) => {
  checkCollation(options, own);
  return [filtered(filter, own), options, ...more];
};
const byUpdate: Guard = ([filter, update, options, ...more], own) => {
  checkCollation(options, own);
  const { upsert } = (options ?? {}) as Document;
  checkUpsertFilter(filter, own, upsert);
  return [filtered(filter, own), guardedUpdate(update, own, upsert), options, ...more];
};
const byReplacement: Guard = ([filter, replacement, options, ...more], own) => {
  checkCollation(options, own);
  checkUpsertFilter(filter, own, (options as Document | undefined)?.['upsert']);
  return [filtered(filter, own), filled(replacement, own), options, ...more];
};

/** Methods of the driver. Mongoose calls these methods after its hooks. */
const GUARDED: Readonly<Record<string, Guard>> = {
  find: byFilter,
  findOne: byFilter,
  count: byFilter,
  countDocuments: byFilter,
  deleteOne: byFilter,
  deleteMany: byFilter,
  findOneAndDelete: byFilter,
  distinct([key, filter, options], own) {
    checkCollation(options, own);
    return [key, filtered(filter, own), options];
  },
  updateOne: byUpdate,
  updateMany: byUpdate,
  findOneAndUpdate: byUpdate,
  replaceOne: byReplacement,
  findOneAndReplace: byReplacement,
  insertOne: ([document, ...more], own) => [filled(document, own), ...more],
  insertMany: ([documents, ...more], own) => [
    (documents as unknown[]).map((one) => filled(one, own)),
    ...more,
  ],
  bulkWrite: ([operations, ...more], own) => [
    (operations as Document[]).map((one) => guardedOperation(one, own)),
    ...more,
  ],
};

/** Methods for the collection itself. They do not use documents. */
const PLAIN = new Set(
  (
    'constructor onOpen onClose createIndex createIndexes ensureIndex dropIndex dropIndexes listIndexes getIndexes ' +
    'indexes indexExists indexInformation options isCapped createSearchIndex createSearchIndexes dropSearchIndex ' +
    'listSearchIndexes updateSearchIndex'
  ).split(' '),
);
/** Methods that do not return a promise. */
const SYNCHRONOUS = new Set(
  'find aggregate watch initializeOrderedBulkOp initializeUnorderedBulkOp'.split(' '),
);

export interface CollectionScope {
  /** @throws TenantContextMissingError */
  readonly ownIn: OwnIn;
  /** Returns true if the documents of every tenant may be used. */
  readonly isOpen: () => boolean;
  readonly inTenant: () => boolean;
}

/** Models, queries and `Model.collection` share the collection object. */
export function guardCollection(name: string, collection: object, scope: CollectionScope): void {
  const plain = Object.getPrototypeOf(collection) as object;
  for (const [method, { value }] of Object.entries(Object.getOwnPropertyDescriptors(plain))) {
    if (typeof value !== 'function' || PLAIN.has(method) || /^[$_]/.test(method)) continue;
    const guarded = guardedMethod(method, value as Method, { name, scope });
    Object.defineProperty(collection, method, { value: guarded, configurable: true });
  }
  keepGuarded(collection as QueueOwner);
}

interface QueueOwner {
  addQueue(method: unknown, args?: unknown): unknown;
  removeQueue(method: unknown, args?: unknown): unknown;
}

/**
 * Without this function, calls could be guarded twice. Mongoose 8 queues calls until the connection
 * is open. Mongoose then calls the methods by name, outside the tenant's scope. The arguments of
 * these calls are already guarded.
 */
function keepGuarded(collection: QueueOwner): void {
  const plain = Object.getPrototypeOf(collection) as QueueOwner & Record<string, unknown>;
  const methodOf = (method: unknown) => (typeof method === 'string' ? plain[method] : method);
  Object.assign(collection, {
    addQueue(this: QueueOwner, method: unknown, args?: unknown) {
      return plain.addQueue.call(this, methodOf(method), args);
    },
    removeQueue(this: QueueOwner, method: unknown, args?: unknown) {
      return plain.removeQueue.call(this, methodOf(method), args);
    },
  });
}

type Method = (this: object, ...args: unknown[]) => unknown;

function guardedMethod(method: string, run: Method, { name, scope }: Guarded): Method {
  const called = (args: unknown[]) => guardedArguments(method, args, { name, scope });
  if (SYNCHRONOUS.has(method)) {
    return function guarded(...args) {
      return guardedResult(method, run.apply(this, [...called(args)]), args, { name, scope });
    };
  }
  return async function guarded(...args) {
    return await run.apply(this, [...called(args)]);
  };
}

interface Guarded {
  readonly name: string;
  readonly scope: CollectionScope;
}

function guardedArguments(
  method: string,
  args: readonly unknown[],
  { name, scope: { ownIn, isOpen, inTenant } }: Guarded,
): readonly unknown[] {
  // Tests and migrations call these methods without a tenant.
  const isAdministration = (method === 'drop' || method === 'rename') && !inTenant();
  if (isOpen() || isAdministration) return args;
  const own = ownIn(name);
  if (method === 'aggregate') {
    // Pipelines of shared collections are also checked, because their stages may join other
    // collections.
    const [pipeline, options, ...more] = args;
    const compared = comparedBy(options, ownIn);
    return [guardedPipeline(pipeline, compared(name), compared), options, ...more];
  }
  if (!own) return args;
  const guard = GUARDED[method];
  if (guard) return guard(args, own);
  throw new TenantUnguardedError(
    `${method}() of the collection "${name}"`,
    'this method reads or changes the documents of all tenants',
    method === 'estimatedDocumentCount'
      ? 'Use countDocuments()'
      : 'Use the MongoDB driver and filter by tenant yourself',
  );
}

/** Also checks that the collation of the options can compare tenants. */
function comparedBy(options: unknown, ownIn: OwnIn): OwnIn {
  return (collection) => {
    const own = ownIn(collection);
    if (own) checkCollation(options, own);
    return own;
  };
}

/** Guards a cursor, because its methods can replace the filter or add stages. */
function guardedResult(
  method: string,
  result: unknown,
  [, options]: readonly unknown[],
  { name, scope: { ownIn, isOpen } }: Guarded,
): unknown {
  if (isOpen()) return result;
  if (method === 'aggregate') return guardAggregationCursor(comparedBy(options, ownIn))(result);
  const own = method === 'find' ? ownIn(name) : undefined;
  return own ? guardFindCursor(own)(result) : result;
}

/** One operation of `bulkWrite()`. */
function guardedOperation(operation: Document, own: OwnDocuments): Document {
  const [kind = ''] = Object.keys(operation);
  const given = operation[kind] as Document;
  // The driver also accepts the document without `document` around it.
  if (kind === 'insertOne') {
    return { insertOne: { document: filled(given['document'] ?? given, own) } };
  }
  checkCollation(given, own);
  checkUpsertFilter(given['filter'], own, given['upsert']);
  const filter = filtered(given['filter'], own);
  switch (kind) {
    case 'updateOne':
    case 'updateMany': {
      const update = guardedUpdate(given['update'], own, given['upsert']);
      return { [kind]: { ...given, filter, update } };
    }
    case 'replaceOne':
      return { [kind]: { ...given, filter, replacement: filled(given['replacement'], own) } };
    case 'deleteOne':
    case 'deleteMany':
      return { [kind]: { ...given, filter } };
    default:
      throw new TenantUnguardedError(
        `The operation "${kind}" in bulkWrite()`,
        'the operation is unknown',
        'Use an operation from the documentation of MongoDB',
      );
  }
}
