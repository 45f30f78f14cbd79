// Without a MongoDB server: Mongoose casts the filters as before sending them, and mingo evaluates them. Behavior of
// the server itself is not tested.
import { describe, expect, it } from '@jest/globals';
import { mongooseAdapter, type MongooseQueryConfig } from '@fledge/query/mongoose';
import { aggregate, Query } from 'mingo';
import mongoose, { type QueryFilter } from 'mongoose';
import { memoryAdapter } from '../src/memory/index.js';
import { parseQuery } from '../src/parse/parse-query.js';
import { InvalidQueryConfigError, InvalidQueryError } from '../src/query.errors.js';
import { ROWS, TASKS } from './support/dataset.js';
import { describeFields, fieldsPageOf, SELECTABLE } from './support/fields.js';
import { describeAgainstOracle, type Engine } from './support/differential.js';

const { Schema } = mongoose;

// mingo hashes values as JSON, which has no bigint.
Object.defineProperty(BigInt.prototype, 'toJSON', {
  value(this: bigint) {
    return `${this}n`;
  },
});

const TaskModel = mongoose.model(
  'Task',
  new Schema({
    _id: Schema.Types.Int32,
    title: { type: String, required: true },
    note: String,
    status: { type: String, enum: ['open', 'done', 'held'], required: true },
    priority: { type: Schema.Types.Int32, required: true },
    rating: Number,
    price: Number,
    serial: { type: BigInt, required: true },
    done: Boolean,
    due: String,
    created: { type: Date, required: true },
    uid: { type: String, required: true },
  }),
);

const FIELDS = Object.fromEntries(Object.keys(TASKS.columns).map((field) => [field, field]));
const CONFIG: MongooseQueryConfig = {
  columns: {
    ...FIELDS,
    id: '_id',
    // Numbers, as in many schemas; mingo has no Decimal128.
    price: { name: 'price', type: 'decimal' },
    due: { name: 'due', type: 'date' },
    uid: { name: 'uid', type: 'uuid' },
  },
  searchColumns: ['title', 'note'],
};

/** Documents in which some values are null and some are missing. */
const DOCUMENTS = ROWS.map(({ id, ...row }, i) => {
  const present = Object.entries(row).filter(([, value]) => value !== null || i % 2 === 0);
  const document: Record<string, unknown> = { _id: id, ...Object.fromEntries(present) };
  if (typeof document['price'] === 'string') document['price'] = Number(document['price']);
  return document;
});

/** The filter as Mongoose sends it. */
function castOf(model: { find(filter: never): unknown }, filter: object): Record<string, unknown> {
  const query = model.find(filter as never) as {
    _castConditions(): void;
    error(): Error | undefined;
    getFilter(): Record<string, unknown>;
  };
  query._castConditions();
  const error = query.error();
  if (error) throw error;
  return query.getFilter();
}

function idsOf(rows: readonly unknown[]): number[] {
  return rows.map((row) => (row as { _id: number })._id);
}

describeAgainstOracle('Mongoose by aggregate', () => {
  const adapter = mongooseAdapter(TaskModel);
  const engine: Engine = {
    async find(parsed) {
      const { pipeline, filter } = adapter.build(parsed, CONFIG);
      return {
        ids: idsOf(aggregate(DOCUMENTS, pipeline as never)),
        total: new Query(castOf(TaskModel, filter)).find(DOCUMENTS).all().length,
      };
    },
    close: () => Promise.resolve(),
  };
  return Promise.resolve(engine);
});

const MEMBERS_OF_DOCUMENTS = { ...CONFIG, selectable: SELECTABLE.selectable };

// With a value for each member: a projection leaves out members that a document lacks.
const WHOLE = DOCUMENTS.map((document) => ({
  ...Object.fromEntries(Object.keys(FIELDS).map((name) => [name, null])),
  ...document,
}));

describeFields(
  'Mongoose by aggregate',
  () => {
    const adapter = mongooseAdapter(TaskModel);
    return Promise.resolve({
      find(parsed) {
        const { pipeline } = adapter.build(parsed, MEMBERS_OF_DOCUMENTS);
        return Promise.resolve(aggregate(withoutId(WHOLE), pipeline as never) as object[]);
      },
      page(parsed, options) {
        const query = adapter.buildKeyset(parsed, MEMBERS_OF_DOCUMENTS, options);
        const rows = aggregate(withoutId(WHOLE), query.pipeline as never) as object[];
        return Promise.resolve(fieldsPageOf(rows, query));
      },
      close: () => Promise.resolve(),
    });
  },
  (member) => (member === 'id' ? '_id' : member),
);

function withoutId(documents: readonly object[]): object[] {
  return documents.map((document) => {
    const entries = Object.entries(document).filter(([name]) => name !== 'id');
    return Object.fromEntries(entries);
  });
}

describe('fields of documents', () => {
  const adapter = mongooseAdapter(TaskModel);
  const parsed = parseQuery({ fields: 'title,note' }, SELECTABLE);

  it('gives the projection of find, which Mongoose sends', () => {
    const { filter, projection } = adapter.build(parsed, MEMBERS_OF_DOCUMENTS);
    expect(projection).toEqual({ _id: 1, title: 1 });
    const query = TaskModel.find(filter, projection);
    (query as unknown as { _applyPaths(): void })._applyPaths();
    expect(query.projection()).toEqual({ _id: 1, title: 1 });
    expect(adapter.build(parseQuery({}), MEMBERS_OF_DOCUMENTS)).not.toHaveProperty('projection');
  });

  it('asks for a subdocument or for its members, not for both', () => {
    const model = mongoose.model(
      'Housed',
      new Schema({ home: new Schema({ city: String, zip: String }), name: String }),
    );
    const config = { filterable: [], selectable: ['home', 'home.city', 'name'] };
    const build = (fields: string) =>
      mongooseAdapter(model).build(parseQuery({ fields }, config), config).projection;
    expect(build('home.city,home')).toEqual({ _id: 1, home: 1 });
    expect(build('home.city,name')).toEqual({ _id: 1, 'home.city': 1, name: 1 });
  });
});

const PersonModel = mongoose.model(
  'Person',
  new Schema({
    name: { type: String, required: true },
    nick: { type: String, lowercase: true },
    boss: { type: Schema.Types.ObjectId, ref: 'Person' },
    friends: [{ type: Schema.Types.ObjectId, ref: 'Person' }],
    wage: Schema.Types.Decimal128,
    token: Schema.Types.UUID,
    level: { type: Number, required: true },
    zip: { type: String, required: () => false },
    box: { type: String, required: [true, 'Name one'] },
    at: new Schema({ city: { type: String, required: true } }),
    home: { street: { type: String, required: true } },
    tags: [String],
    jobs: [{ title: String }],
    extra: {},
    labels: { type: Map, of: String },
    alien: { type: String, alias: 'friend' },
  }),
);
type PersonDoc = mongoose.InferSchemaType<typeof PersonModel.schema>;
const PEOPLE = {
  columns: {
    id: '_id',
    name: 'name',
    nick: 'nick',
    boss: 'boss',
    wage: 'wage',
    token: 'token',
    level: 'level',
    city: 'at.city',
    street: 'home.street',
    zip: 'zip',
    box: 'box',
  },
  searchColumns: ['name', 'at.city'],
} satisfies MongooseQueryConfig;

const OID = '0123456789abcdef01234567';
const UUID = '00000000-0000-4000-8000-000000007919';

function build(wire: Record<string, unknown>, config: MongooseQueryConfig = PEOPLE) {
  const parsed = parseQuery(wire, config, { operators: ['nin', 'isnull'] });
  return mongooseAdapter(PersonModel).build(parsed, config);
}

/** Removes the symbols that `mongoose.trusted` adds. */
const plain = (filter: object) => JSON.parse(JSON.stringify(filter)) as unknown;

describe('what mongooseAdapter builds', () => {
  it('the arguments of find', () => {
    const { filter, sort, skip, limit } = build({
      filter: [
        'name:eq:x',
        'level:gte:3',
        'name:contains:50%_',
        `boss:in:${OID}`,
        'level:between:1,2',
        'nick:neq:n',
        'nick:nin:a,b',
        'city:isnull:true',
        'zip:isnull:false',
        'id:in:,',
      ],
      sort: ['level:desc', 'city:asc'],
      page: '2',
      limit: '10',
      q: 'dep',
    });
    expect(plain(filter)).toEqual({
      $and: [
        { name: { $eq: 'x' } },
        { level: { $gte: 3 } },
        { name: { $regex: '50%_', $options: 'i' } },
        { boss: { $in: [OID] } },
        { level: { $gte: 1, $lte: 2 } },
        { nick: { $nin: ['n', null] } },
        { nick: { $nin: ['a', 'b', null] } },
        { 'at.city': { $eq: null } },
        { zip: { $ne: null } },
        { _id: { $in: [] } },
        {
          $or: [
            { name: { $regex: 'dep', $options: 'i' } },
            { 'at.city': { $regex: 'dep', $options: 'i' } },
          ],
        },
      ],
    });
    expect([sort, skip, limit]).toEqual([
      [
        ['level', -1],
        ['at.city', 1],
        ['_id', 1],
      ],
      10,
      10,
    ]);
  });

  it('{} without conditions', () => {
    expect(build({}).filter).toEqual({});
    expect(build({}).pipeline).toEqual([{ $match: {} }, { $sort: { _id: 1 } }, { $limit: 20 }]);
  });

  it('a pipeline with NULLs last, with a stage only for nullable keys', () => {
    const { pipeline } = build({ sort: ['level:asc', 'nick:asc', 'zip:desc'], page: '3' });
    expect(pipeline).toEqual([
      { $match: {} },
      { $addFields: { __is_null_1: { $eq: [{ $ifNull: ['$nick', null] }, null] } } },
      { $sort: { level: 1, __is_null_1: 1, nick: 1, zip: -1, _id: 1 } },
      { $skip: 40 },
      { $limit: 20 },
      { $unset: ['__is_null_1'] },
    ]);
  });

  it('values in their stored types, because a pipeline is not cast', () => {
    const { $and } = build({
      filter: [
        `id:eq:${OID}`,
        'wage:gt:12.50',
        `token:eq:${UUID.toUpperCase().slice(0, 8)}${UUID.slice(8)}`,
      ],
    }).filter as { $and: Record<string, Record<string, unknown>>[] };
    const values = $and.map((one) => Object.values(Object.values(one)[0] ?? {})[0]);
    expect(values[0]).toEqual(new mongoose.Types.ObjectId(OID));
    expect(values[1]).toEqual(mongoose.Types.Decimal128.fromString('12.50'));
    // Mongoose 8 casts a UUID to a buffer, so compare what is sent to MongoDB.
    expect(sent(values[2])).toEqual(new mongoose.mongo.UUID(UUID));
  });

  it.each(['(a+)+$', '[x]{2}.*^|?', 'a\\b', '$where', '\'"', '%_!', 'é你', 'a\nb', '-/'])(
    'finds %j as text, in every place',
    (text) => {
      const rows = [
        { name: `x${text}y` },
        { name: `${text}y` },
        { name: `x${text}` },
        { name: 'aab' },
      ];
      const found = (operator: string) => {
        const { filter } = build({ filter: `name:${operator}:${text}` });
        const hits = new Query(castOf(PersonModel, filter)).find<{ name: string }>(rows).all();
        return hits.map((row) => rows.indexOf(row));
      };
      expect([found('contains'), found('starts'), found('ends')]).toEqual([[0, 1, 2], [1], [2]]);
    },
  );

  it('`ends` does not match before a final line break', () => {
    const { filter } = build({ filter: 'name:ends:b' });
    expect(plain(filter)).toEqual({
      $and: [{ name: { $regex: 'b(?![\\s\\S])', $options: 'i' } }],
    });
  });

  it('sanitizeFilter keeps every operator', () => {
    const wire = {
      filter: [
        'name:neq:x',
        'level:between:1,2',
        `boss:in:${OID}`,
        'nick:isnull:false',
        'name:ends:b',
      ],
      q: 'n',
    };
    const before = plain(castOf(PersonModel, build(wire).filter));
    mongoose.set('sanitizeFilter', true);
    try {
      expect(plain(castOf(PersonModel, build(wire).filter))).toEqual(before);
    } finally {
      mongoose.set('sanitizeFilter', false);
    }
  });

  it('a value is not read as an operator', () => {
    const { filter } = build({ filter: ['name:eq:{"$ne":null}', 'name:eq:$where'] });
    expect(plain(filter)).toEqual({
      $and: [{ name: { $eq: '{"$ne":null}' } }, { name: { $eq: '$where' } }],
    });
  });

  it('the schema determines what may be missing', () => {
    const rankedOf = (sort: string) => JSON.stringify(build({ sort }).pipeline).includes('$ifNull');
    const may = ['nick', 'boss', 'wage', 'city', 'zip'].map((field) => rankedOf(`${field}:asc`));
    const not = ['name', 'level', 'street', 'box', 'id'].map((field) => rankedOf(`${field}:asc`));
    expect([may, not]).toEqual([Array(5).fill(true), Array(5).fill(false)]);
  });

  it.each([
    'toString',
    '__proto__',
    'labels.$*',
    '$where',
    'jobs.no',
    'tags.title',
    'labels.x',
    'friend',
    'no',
    'at.no',
  ])('refuses a config with the path %s', (path) => {
    expect(() => build({}, { columns: { x: path } })).toThrow(InvalidQueryConfigError);
    expect(() => build({}, { columns: { x: path } })).toThrow('is not a column of model Person');
  });

  it.each(['boss.name', 'friends.name'])('refuses %s, which goes through a reference', (path) => {
    const [reference = ''] = path.split('.');
    expect(() => build({}, { filterable: [path] })).toThrow(InvalidQueryConfigError);
    expect(() => build({}, { filterable: [path] })).toThrow(
      `"${path}" of model Person goes through the reference "${reference}", but find() of Mongoose cannot join. ` +
        `Filter by "${reference}" itself, or store the values in a subdocument.`,
    );
  });

  it.each(['tags', 'jobs', 'extra', 'labels', 'at'])(
    'refuses %s, whose type cannot be filtered',
    (path) => {
      expect(() => build({}, { filterable: [path] })).toThrow(
        `"${path}" of model Person has the type`,
      );
    },
  );

  it.each([
    'id:eq:1',
    'level:eq:x',
    'wage:eq:1e3',
    'token:eq:zzz',
    'boss:contains:0',
    'name:eq:\0',
  ])('%j is a 400', (filter) => {
    expect(() => build({ filter })).toThrow(InvalidQueryError);
  });
});

describe('Mongoose pages by cursors', () => {
  it.each([
    [['rating:asc', 'note:desc']],
    [['done:desc', 'price:asc', 'serial:desc']],
    [['created:desc']],
    [['due:asc', 'uid:desc']],
    [[]],
  ])('%s', (sort) => {
    const wire = { sort, filter: 'priority:gte:-2' };
    const { data } = memoryAdapter
      .build(parseQuery({ ...wire, limit: '100' }, TASKS), TASKS)
      .apply(ROWS);
    const ids: number[] = [];
    for (let after: string | undefined, pages = 0; pages < 20; pages++) {
      const options = { secret: 'sixteen or more bytes', after };
      const parsed = parseQuery({ ...wire, limit: '7' }, CONFIG);
      const page = mongooseAdapter(TaskModel).buildKeyset(parsed, CONFIG, options);
      const rows = aggregate(DOCUMENTS, page.pipeline as never);
      ids.push(...idsOf(rows));
      const last = rows.at(-1);
      if (!last) break;
      after = page.cursorOf(last);
    }
    expect(ids).toEqual(data.map(({ id }) => id));
  });

  it('reads nested paths, and a missing one as NULL', () => {
    const { cursorOf } = mongooseAdapter(PersonModel).buildKeyset(
      parseQuery({ sort: ['city:asc', 'nick:desc'] }, PEOPLE),
      PEOPLE,
      { secret: 'sixteen or more bytes' },
    );
    const texts = (row: object) =>
      JSON.parse(Buffer.from(cursorOf(row).split('.')[0] ?? '', 'base64url').toString()) as unknown;
    const _id = new mongoose.Types.ObjectId(OID);
    expect(texts({ _id, at: { city: 'Bonn' }, nick: 'n' })).toEqual(['Bonn', 'n', OID]);
    expect(texts({ _id })).toEqual([null, null, OID]);
  });

  it('reads plain rows and hydrated documents', () => {
    const { cursorOf } = mongooseAdapter(PersonModel).buildKeyset(
      parseQuery({ sort: ['token:asc', 'wage:asc', 'city:asc'] }, PEOPLE),
      PEOPLE,
      { secret: 'sixteen or more bytes' },
    );
    const row = {
      _id: new mongoose.Types.ObjectId(OID),
      token: new mongoose.mongo.UUID(UUID),
      wage: mongoose.Types.Decimal128.fromString('12.50'),
      at: { city: 'Bonn' },
    };
    expect(cursorOf(sent(row) as object)).toBe(cursorOf(row));
    expect(cursorOf(PersonModel.hydrate(row))).toBe(cursorOf(row));
    expect(cursorOf(PersonModel.hydrate(row).toObject())).toBe(cursorOf(row));
    const [payload = ''] = cursorOf(row).split('.');
    expect(Buffer.from(payload, 'base64url').toString()).toBe(
      `["${UUID}","12.50","Bonn","${OID}"]`,
    );
  });
});

/** A value as it is read back from the database. */
function sent(value: unknown): unknown {
  const { BSON } = mongoose.mongo;
  return (BSON.deserialize(BSON.serialize({ value })) as { value: unknown }).value;
}

it('refuses an unsupported version of Mongoose', () => {
  const base = { trusted: (operators: object) => operators, version: '7.8.13' };
  expect(() =>
    mongooseAdapter(Object.assign(Object.create(TaskModel) as typeof TaskModel, { base })),
  ).toThrow('@fledge/query/mongoose supports mongoose ^8.9.0 || ^9.0.0, but 7.8.13 is installed.');
});

it('is typed by the model', () => {
  const { filter, sort } = build({});
  const typed: QueryFilter<PersonDoc> = filter;
  expect(PersonModel.find(typed).sort(sort).getFilter()).toEqual({});
});

describe('paths with select: false', () => {
  const Address = new Schema({ city: String, code: { type: String, select: false } });
  const schema = new Schema({
    name: String,
    secret: { type: String, select: false },
    keys: { type: [String], select: false },
    pins: [{ type: String, select: false }],
    safe: { type: new Schema({ pin: String }), select: false },
    home: { city: String, code: { type: String, select: false } },
    at: Address,
    tags: [new Schema({ name: String, note: { type: String, select: false } })],
    labels: { type: Map, of: String, select: false },
  });
  const model = mongoose.model('Guarded', schema);
  model.discriminator('GuardedChild', new Schema({ wage: { type: Number, select: false } }));
  const inner = { city: 'Oslo', code: 'x' };
  const rows = [
    {
      ...{ _id: 1, name: 'Ann', secret: 'x', keys: ['x'], pins: ['x'], safe: { pin: 'x' } },
      ...{ home: inner, at: inner, labels: { a: 'x' }, wage: 5 },
      tags: [
        { name: 'a', note: 'x' },
        { name: 'b', note: 'x' },
      ],
    },
  ];
  const config = {
    sortable: ['name'],
    selectable: ['name', 'at', 'at.city', 'secret', 'safe'],
  };
  const selected = { home: { city: 'Oslo' }, at: { city: 'Oslo' } };
  const options = { secret: 'of tests alone, and long enough' };
  const adapter = mongooseAdapter(model);

  it.each<[query: object, row: object]>([
    [{}, { _id: 1, name: 'Ann', ...selected, tags: [{ name: 'a' }, { name: 'b' }] }],
    [{ fields: 'name,at' }, { _id: 1, name: 'Ann', at: { city: 'Oslo' } }],
    [{ fields: 'at.city' }, { _id: 1, at: { city: 'Oslo' } }],
    // Listed in `selectable` and asked for.
    [{ fields: 'secret,safe' }, { _id: 1, secret: 'x', safe: { pin: 'x' } }],
  ])('do not leave through a pipeline for %j', (query, row) => {
    const parsed = parseQuery({ ...query, sort: 'name:desc' }, config);
    const page = adapter.buildKeyset(parsed, config, options);
    const { pipeline } = adapter.build(parsed, config);
    expect(aggregate(structuredClone(rows), pipeline as never)).toEqual([row]);
    const found = aggregate(structuredClone(rows), page.pipeline as never) as object[];
    expect(found.map((each) => page.project(each))).toEqual([row]);
  });

  it.each(['secret', 'safe.pin', 'home.code', 'at.code'])(
    '%s is no sort key of cursors, because rows lack its value',
    (path) => {
      const parsed = parseQuery({ sort: `${path}:asc` });
      const keyset = () => adapter.buildKeyset(parsed, { sortable: [path] }, options);
      expect(keyset).toThrow(InvalidQueryError);
      expect(keyset).toThrow(`sort "${path}" not-expressible`);
      expect(adapter.build(parsed, { sortable: [path] }).sort).toEqual([
        [path, 1],
        ['_id', 1],
      ]);
    },
  );
});
