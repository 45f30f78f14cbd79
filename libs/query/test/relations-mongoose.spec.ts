// Without a MongoDB server, as mongoose.spec.ts: mingo evaluates the filters that Mongoose has cast.
import { InvalidQueryConfigError, parseQuery } from '@fledge/query';
import { mongooseAdapter, type MongooseQueryConfig } from '@fledge/query/mongoose';
import { describe, expect, it } from '@jest/globals';
import { aggregate, Query } from 'mingo';
import mongoose from 'mongoose';
import { pageOf } from './support/cursors.js';
import { describeRelations } from './support/related.js';
import { relatedPaths, RELATED_TASKS } from './support/related-rows.js';

const { Schema } = mongoose;
const plain = { _id: false } as const;
const named = () => ({ id: Number, name: String });
const PERSON = new Schema(
  {
    ...named(),
    age: Number,
    team: new Schema(named(), plain),
    skills: [new Schema(named(), plain)],
  },
  plain,
);
const COMMENT = new Schema(
  {
    body: String,
    author: PERSON,
    marks: [new Schema({ ...named(), price: Schema.Types.Decimal128 }, plain)],
  },
  plain,
);
const TaskModel = mongoose.model(
  'RelatedTask',
  new Schema({
    _id: Number,
    title: String,
    rank: Number,
    owner: PERSON,
    tags: [new Schema({ ...named(), weight: Number }, plain)],
    comments: [COMMENT],
  }),
);

const CONFIG: MongooseQueryConfig = relatedPaths((path) => (path === 'id' ? '_id' : path));
const DOCUMENTS = RELATED_TASKS.map(({ id, ...task }) => ({ _id: id, ...task }));
const adapter = mongooseAdapter(TaskModel);

/** The filter as Mongoose sends it. */
function castOf(filter: object): Record<string, unknown> {
  const query = TaskModel.find(filter as never) as unknown as {
    _castConditions(): void;
    error(): Error | undefined;
    getFilter(): Record<string, unknown>;
  };
  query._castConditions();
  expect(query.error()).toBeUndefined();
  return query.getFilter();
}

function idsOf(pipeline: readonly object[]): { _id: number; id: number }[] {
  const rows = aggregate(DOCUMENTS, pipeline as never) as { _id: number }[];
  return rows.map((row) => ({ ...row, id: row._id }));
}

describeRelations('Mongoose by aggregate', () =>
  Promise.resolve({
    find(parsed) {
      const { pipeline, filter } = adapter.build(parsed, CONFIG);
      const total = new Query(castOf(filter)).find(DOCUMENTS).all().length;
      return Promise.resolve({ ids: idsOf(pipeline).map(({ id }) => id), total });
    },
    page(parsed, options) {
      const { pipeline, cursorOf } = adapter.buildKeyset(parsed, CONFIG, options);
      return Promise.resolve(pageOf(idsOf(pipeline), cursorOf));
    },
    close: () => Promise.resolve(),
  }),
);

describe('arrays of subdocuments', () => {
  const config = { filterable: ['tags.name', 'comments.marks.price'] } as const;
  const filterOf = (wire: object) =>
    adapter.build(parseQuery(wire, config, { where: true }), config).filter;

  it('get values in their stored types', () => {
    const [condition] = (filterOf({ filter: 'comments.marks.price:eq:12.50' }).$and ?? []) as [
      { comments: { $elemMatch: { marks: { $elemMatch: { price: { $eq: unknown } } } } } },
    ];
    expect(condition.comments.$elemMatch.marks.$elemMatch.price.$eq).toEqual(
      mongoose.Types.Decimal128.fromString('12.50'),
    );
  });

  it('are filtered under sanitizeFilter too', () => {
    const filter = ['tags.name:neq:ann', 'tags.name:contains:b'];
    const wire = { filter, where: 'not(comments.marks.price:gt:1)' };
    const before = JSON.stringify(castOf(filterOf(wire)));
    mongoose.set('sanitizeFilter', true);
    try {
      expect(JSON.stringify(castOf(filterOf(wire)))).toBe(before);
    } finally {
      mongoose.set('sanitizeFilter', false);
    }
  });

  it.each<[MongooseQueryConfig, string]>([
    [
      { sortable: ['tags.name'] },
      'Field "tags.name" is sortable, but a row can have several values',
    ],
    [{ sortable: ['owner.skills.name'] }, 'the relation "owner.skills" is to-many.'],
    [{ selectable: ['tags.name'] }, '`selectable` contains "tags.name", which is a column of a'],
    [{ filterable: [], relations: {} } as object, 'but the adapter reads relations'],
  ])('%j is refused at boot', (config, fact) => {
    expect(() => adapter.check(config)).toThrow(InvalidQueryConfigError);
    expect(() => adapter.check(config)).toThrow(fact);
  });
});
