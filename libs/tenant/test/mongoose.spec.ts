// Without a MongoDB server: the real Mongoose and the real driver talk to a small server, which evaluates with mingo what
// arrives. Behavior of MongoDB itself is not tested.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import mongoose, { type Connection, type HydratedDocument, type Model, Types } from 'mongoose';
import { Module } from '@nestjs/common';
import {
  Tenancy,
  TenantContextMissingError,
  TenantModule,
  TenantOptionError,
  TenantRowMismatchError,
  TenantUnguardedError,
} from '@fledge/tenant';
import { TenantConnectionsModule } from '@fledge/tenant/connections';
import { guardConnection, type GuardConnectionOptions } from '@fledge/tenant/mongoose';
import { closeAll, createApp, platforms } from '../../../test/support/platforms.js';
import { startTenancy } from './engines/tenancy.js';
import { type MongoServer, openMongoServer, type Row } from './engines/mongo-server.js';

interface NoteRow {
  _id: number;
  tenantId: string;
  text: string;
  folder?: number;
  tags?: string[];
}

const { Schema } = mongoose;
const noteSchema = () =>
  new Schema<NoteRow>({
    _id: { type: Number, required: true },
    tenantId: { type: String, required: true },
    text: String,
    folder: { type: Number, ref: 'Folder' },
    tags: { type: [String], default: undefined },
  });
const folderSchema = () =>
  new Schema({
    _id: Number,
    tenantId: { type: String, required: true },
    name: String,
  });

let tenancy: Tenancy;
let server: MongoServer;
const connections: Connection[] = [];
const open = async (options: GuardConnectionOptions = { shared: ['countries'] }) => {
  const connection = mongoose.createConnection(server.url, { autoIndex: false, autoCreate: false });
  connections.push(connection);
  guardConnection(connection, options);
  return connection.asPromise();
};

let connection: Connection;
let Note: Model<NoteRow>;
let Folder: Model<{ _id: number; tenantId: string; name: string }>;
let Country: Model<{ _id: string; capital?: number }>;

beforeAll(async () => {
  tenancy = await startTenancy();
  server = await openMongoServer();
  connection = await open();
  Note = connection.model('Note', noteSchema()) as never;
  Folder = connection.model('Folder', folderSchema()) as never;
  Country = connection.model(
    'Country',
    new Schema({ _id: String, capital: { type: Number, ref: 'Note' } }),
  ) as never;
});
beforeEach(() => {
  server.commands.length = 0;
  server.collections.clear();
  server.collections.set('notes', [
    { _id: 1, tenantId: 'a', text: 'A1', folder: 1 },
    { _id: 2, tenantId: 'b', text: 'B1', folder: 2 },
    { _id: 3, tenantId: 'b', text: 'B2', folder: 1 },
  ]);
  server.collections.set('folders', [
    { _id: 1, tenantId: 'a', name: 'of A' },
    { _id: 2, tenantId: 'b', name: 'of B' },
  ]);
  server.collections.set('countries', [{ _id: 'no', capital: 2 }]);
});
afterAll(async () => {
  for (const one of connections) await one.close();
  await server.close();
  await closeAll();
});

const inA = <R>(run: () => R) => tenancy.run('a', run);
const inB = <R>(run: () => R) => tenancy.run('b', run);
const textsOf = (notes: readonly { text: string }[]) => notes.map(({ text }) => text).toSorted();
const stored = () =>
  (server.collections.get('notes') ?? []).map(
    (row) => `${String(row['tenantId'])} ${String(row['text'])}`,
  );
const asMap = (document: object) => new Map<string, unknown>(Object.entries(document));
const UNTOUCHED = ['a A1', 'b B1', 'b B2'];
const all = async () => textsOf(await Note.find());
const refused = async (
  run: () => unknown,
  error: typeof TenantUnguardedError | typeof TenantRowMismatchError = TenantUnguardedError,
) => {
  await expect(inA(async () => await run())).rejects.toThrow(error);
  expect(stored()).toEqual(UNTOUCHED);
};

/** Before, a refusal inside `Model.watch()` becomes an unhandled rejection. */
const [major = 0, minor = 0] = mongoose.version.split('.').map(Number);
const hasStreamErrors = major > 9 || (major === 9 && minor >= 12);

describe('guardConnection', () => {
  it('reads documents of the tenant, and refuses without one', async () => {
    expect(await inA(all)).toEqual(['A1']);
    expect(server.commands.at(-1)).toMatchObject({ find: 'notes', filter: { tenantId: 'a' } });
    expect(await inB(all)).toEqual(['B1', 'B2']);
    expect(await tenancy.run({ tenantId: `a' || '1'=='1` }, all)).toEqual([]);
    const sent = server.commands.length;
    await expect(all()).rejects.toThrow(TenantContextMissingError);
    await expect(tenancy.runCentral('report', all)).rejects.toThrow(TenantContextMissingError);
    await expect(new Note({ _id: 9, tenantId: 'a', text: 'x' }).save()).rejects.toThrow(
      TenantContextMissingError,
    );
    expect(server.commands).toHaveLength(sent);
    // Shared collections need no tenant: a store of tenants may be one.
    expect(await Country.countDocuments()).toBe(1);
  });

  it('keeps the tenant beside conditions and options of the caller', async () => {
    expect(await inA(() => Note.find({ $or: [{ _id: 1 }, { _id: 2 }] }))).toHaveLength(1);
    const b = { tenantId: 'b' };
    expect(await inA(() => Note.find(b))).toEqual([]);
    expect(await inA(() => Note.find().where(b))).toEqual([]);
    expect(await inA(() => Note.find({ tenantId: { $in: ['a', 'b'] } }))).toHaveLength(1);
    expect(await inA(() => Note.find({ tenantId: { $ne: null } }))).toHaveLength(1);
    expect(await inA(() => Note.findById(2))).toBeNull();
    expect(await inA(() => Note.exists({ _id: 2 }))).toBeNull();
    expect(await inA(() => Note.distinct('text'))).toEqual(['A1']);
    expect(await inA(() => Note.countDocuments())).toBe(1);
    expect(await inA(() => Note.find().setOptions({ middleware: false }))).toHaveLength(1);
    expect(textsOf(await inA(() => Note.find().lean()))).toEqual(['A1']);
    const read: string[] = [];
    await inA(async () => {
      for await (const note of Note.find().cursor()) read.push(note.text);
      for await (const note of Note.aggregate<NoteRow>([{ $sort: { _id: 1 } }]).cursor())
        read.push(note.text);
    });
    expect(read).toEqual(['A1', 'A1']);
    await expect(Note.find().cursor().next()).rejects.toThrow(TenantContextMissingError);
  });

  it('populates documents of the tenant only', async () => {
    const notes = await inB(() => Note.find().populate('folder').sort({ _id: 1 }));
    expect(notes.map(({ folder }) => (folder as unknown as Row | null)?.['name'])).toEqual([
      'of B',
      undefined,
    ]);
    const [country] = await inA(() => Country.find().populate('capital'));
    expect(country?.capital).toBeNull();
    const late = await inA(async () => (await Country.find())[0]?.populate('capital'));
    expect(late?.capital).toBeNull();
  });

  it('changes and deletes documents of the tenant', async () => {
    const set = { text: 'x' };
    await inA(async () => {
      await Note.updateOne({ _id: 2 }, set);
      await Note.findOneAndUpdate({ _id: 2 }, set);
      await Note.findByIdAndUpdate(2, set);
      await Note.replaceOne({ _id: 2 }, { text: 'x' });
      await Note.findOneAndReplace({ _id: 2 }, { text: 'x' });
      await Note.updateMany({ _id: 2 }, [{ $set: set }], { updatePipeline: true });
      await Note.deleteOne({ _id: 2 });
      await Note.findOneAndDelete({ _id: 2 });
      await Note.findByIdAndDelete(2);
      await Note.deleteMany({ _id: { $gt: 1 } });
    });
    expect(stored()).toEqual(UNTOUCHED);
    await inA(() => Note.updateMany({}, set));
    expect(stored()).toEqual(['a x', 'b B1', 'b B2']);
    await inA(() => Note.replaceOne({}, { text: 'y' }));
    expect(stored()).toEqual(['a y', 'b B1', 'b B2']);
    await inA(() => Note.deleteMany());
    expect(stored()).toEqual(['b B1', 'b B2']);
  });

  it('saves no document of another tenant', async () => {
    const held = (await inB(() => Note.findById(2))) as HydratedDocument<NoteRow>;
    await inA(async () => {
      held.text = 'x';
      await expect(held.save()).rejects.toThrow(mongoose.Error.DocumentNotFoundError);
      await held.deleteOne();
      const hydrated = Note.hydrate({ _id: 3, tenantId: 'a', text: 'B2' });
      hydrated.text = 'x';
      await expect(hydrated.save()).rejects.toThrow(mongoose.Error.DocumentNotFoundError);
      await expect(Note.bulkSave([hydrated])).rejects.toThrow();
    });
    expect(stored()).toEqual(UNTOUCHED);
    await refused(async () => {
      const note = (await Note.findById(1)) as HydratedDocument<NoteRow>;
      note.tenantId = 'b';
      await note.save();
    }, TenantRowMismatchError);
  });

  it('fills in the tenant of new documents', async () => {
    await inA(async () => {
      const note = new Note({ _id: 10, text: 'A2' });
      expect(note.tenantId).toBe('a');
      await note.save();
      await Note.create([{ _id: 11, text: 'A3' }]);
      await Note.insertMany([
        { _id: 12, text: 'A4' },
        { _id: 13, text: 'A5', tenantId: 'a' },
      ]);
      await Note.bulkWrite([{ insertOne: { document: { _id: 14, text: 'A6' } as NoteRow } }]);
      await Note.collection.insertOne({ _id: 15, text: 'A7' } as never);
      await Note.bulkSave([new Note({ _id: 16, text: 'A8' })]);
      await Note.collection.bulkWrite([{ insertOne: { _id: 17, text: 'A9' } as never }]);
    });
    const inserted = ['a A2', 'a A3', 'a A4', 'a A5', 'a A6', 'a A7', 'a A8', 'a A9'];
    expect(stored()).toEqual([...UNTOUCHED, ...inserted]);
  });

  it('fills in no tenant of shared collections and embedded documents', async () => {
    const members = new Schema({ tenantId: String, role: String }, { _id: false });
    const schema = () =>
      new Schema({ _id: Number, tenantId: String, members: [members], members1: members });
    const shared = await open({ shared: ['people'] });
    const Person = shared.model('Person', schema(), 'people');
    const Team = shared.model('Team', schema(), 'teams');
    shared.model('Member', members, 'members');
    const admin = { role: 'superadmin' };
    const rows = { _id: 1, members: [admin], members1: admin };
    server.collections.set('people', [{ ...rows }]);
    server.collections.set('teams', [{ ...rows, tenantId: 'a' }]);
    const read = async (model: typeof Person) => (await model.findById(1))?.toObject();
    expect(await inA(() => read(Person))).toEqual(rows);
    expect(await inA(() => read(Team as never))).toEqual({ ...rows, tenantId: 'a' });
    await inA(async () => {
      await Person.create({ ...rows, _id: 2 });
      await Person.updateOne({ _id: 3 }, { members: [admin] }, { upsert: true });
      await Team.create({ ...rows, _id: 2 });
    });
    expect(server.collections.get('people')).toMatchObject([{}, { members: [admin] }, {}]);
    expect(JSON.stringify(server.collections.get('people'))).not.toContain('tenantId');
    const [, team] = server.collections.get('teams') as [Row, Row];
    expect(team).toMatchObject({ ...rows, _id: 2, tenantId: 'a' });
    expect(JSON.stringify([team['members'], team['members1']])).not.toContain('tenantId');
  });

  it('keeps connections apart that share a schema', async () => {
    const schema = noteSchema();
    const plain = mongoose.createConnection(server.url, { autoCreate: false, autoIndex: false });
    connections.push(plain);
    const Plain = plain.model('Note', schema);
    new Plain();
    const first = (await open()).model('Note', schema);
    const second = (await open({ stored: (id) => `org_${id}` })).model('Note', schema, 'orgs');
    const other = (await open({ field: 'text' })).model('Note', schema, 'others');
    await inA(async () => {
      await first.create({ _id: 10, text: 'A2' });
      await second.create({ _id: 10, text: 'A3' });
      expect(new other({ _id: 10 }).toObject()).toEqual({ _id: 10, text: 'a' });
      expect(new first({ _id: 10 }).toObject()).toEqual({ _id: 10, tenantId: 'a' });
      expect(new Plain({ _id: 10 }).toObject()).toEqual({ _id: 10 });
    });
    expect(stored()).toEqual([...UNTOUCHED, 'a A2']);
    expect(server.collections.get('orgs')).toMatchObject([{ tenantId: 'org_a', text: 'A3' }]);
  });

  it('refuses to write documents of another tenant', async () => {
    const other = { _id: 20, text: 'x', tenantId: 'b' };
    const mismatch = (run: () => unknown) => refused(run, TenantRowMismatchError);
    await mismatch(() => new Note(other).save());
    await mismatch(() => Note.create([other], { middleware: false } as never));
    await mismatch(() => Note.insertMany([{ _id: 21, text: 'x' }, other]));
    await mismatch(() => Note.insertMany([other], { rawResult: true, lean: true } as never));
    await mismatch(() => Note.bulkWrite([{ insertOne: { document: other } }]));
    await mismatch(() => Note.replaceOne({ _id: 1 }, other));
    await mismatch(() => Note.findOneAndReplace({ _id: 1 }, other));
    await mismatch(() => Note.updateOne({ _id: 1 }, { tenantId: 'b' }));
    await mismatch(() => Note.findOneAndUpdate({ _id: 1 }, { $set: { tenantId: 'b' } }));
    await mismatch(() =>
      Note.updateOne({ _id: 30 }, { $setOnInsert: { tenantId: 'b' } }, { upsert: true }),
    );
    await mismatch(() =>
      Note.bulkWrite([{ updateOne: { filter: {}, update: { tenantId: 'b' } } }]),
    );
    await mismatch(() => Note.collection.insertOne(other as never));
    const pipeline = [{ $set: { tenantId: 'b' } }];
    await mismatch(() => Note.updateMany({}, pipeline, { updatePipeline: true }));
    await refused(() => Note.updateOne({ _id: 1 }, { $unset: { tenantId: 1 } }));
    await refused(() => Note.updateOne({ _id: 1 }, { $rename: { text: 'tenantId' } }));
    await refused(() =>
      Note.collection.updateOne({ _id: 1 } as never, { $set: { 'tenantId.x': 1 } }),
    );
    const around = [{ $replaceWith: { _id: '$_id', tenantId: 'b', text: '$text' } }];
    await inA(() => Note.collection.updateMany({}, around));
    expect(stored()).toEqual(UNTOUCHED);
  });

  it('guards maps like objects, because the driver accepts both', async () => {
    const notes = Note.collection;
    const set = { $set: { tenantId: 'b' } };
    for (const update of [{ $set: asMap(set.$set) }, asMap(set)] as object[]) {
      const operation = { updateMany: { filter: {}, update } };
      await refused(() => notes.updateOne({}, update), TenantRowMismatchError);
      await refused(() => notes.bulkWrite([operation]), TenantRowMismatchError);
    }
    await refused(() => notes.updateOne({}, { $unset: asMap({ tenantId: 1 }) } as object));
    await refused(() =>
      notes.find({}, { collation: asMap({ locale: 'en', strength: 1 }) as never }),
    );
    const read = (stage: object) => inA(() => Folder.collection.aggregate([stage]).toArray());
    const lookup = { from: 'notes', localField: '_id', foreignField: 'folder', as: 'notes' };
    const graph = { startWith: '$_id', connectFromField: 'folder', connectToField: 'folder' };
    for (const stage of [
      { $lookup: asMap(lookup) },
      asMap({ $lookup: asMap(lookup) }),
      { $graphLookup: asMap({ ...graph, from: 'notes', as: 'notes' }) },
    ]) {
      expect(await read(stage)).toMatchObject([{ notes: [{ text: 'A1' }] }]);
    }
    expect(await read({ $unionWith: asMap({ coll: 'notes' }) })).toHaveLength(2);
    const facet = await read({ $facet: asMap({ rows: [{ $lookup: asMap(lookup) }] }) });
    expect(facet).toMatchObject([{ rows: [{ notes: [{ text: 'A1' }] }] }]);
    const near = { $geoNear: asMap({ near: [0, 0], query: asMap({ _id: 1 }) }) };
    expect(await read(near)).toHaveLength(1);
    expect(server.commands.at(-1)).toMatchObject({
      pipeline: [{ $geoNear: { near: [0, 0], query: { _id: 1, tenantId: 'a' } } }],
    });
    const inserted = { $setOnInsert: asMap({ text: 'A2' }) } as object;
    await inA(() => notes.updateOne({ _id: 9 } as object, inserted, { upsert: true }));
    expect(stored()).toEqual([...UNTOUCHED, 'a A2']);
  });

  it('overwrites no document of another tenant by an upsert', async () => {
    const upsert = { upsert: true };
    const row = { text: 'x' };
    const clashes = [
      () => Note.updateOne({ _id: 2 }, row, upsert),
      () => Note.findOneAndUpdate({ _id: 2 }, row, upsert),
      () => Note.replaceOne({ _id: 2 }, row, upsert),
      () => Note.bulkWrite([{ updateOne: { filter: { _id: 2 }, update: row, ...upsert } }]),
    ];
    for (const clash of clashes) {
      await expect(inA(async () => await clash())).rejects.toThrow('E11000');
      expect(stored()).toEqual(UNTOUCHED);
    }
    const filter = { _id: 33, tenantId: 'b' };
    await refused(() => Note.updateOne(filter, row, upsert), TenantRowMismatchError);
    await refused(() => Note.replaceOne(filter, row, upsert), TenantRowMismatchError);
    const operation = { updateOne: { filter, update: row, ...upsert } };
    await refused(() => Note.bulkWrite([operation]), TenantRowMismatchError);
    await inA(() => Note.updateOne({ _id: 30 }, { text: 'A2' }, upsert));
    await inA(() => Note.updateOne({ _id: 31, tenantId: 'a' }, { $set: { text: 'A3' } }, upsert));
    await inA(() => Note.replaceOne({ _id: 32 }, { text: 'A4' }, upsert));
    expect(stored()).toEqual([...UNTOUCHED, 'a A2', 'a A3', 'a A4']);
  });

  it('filters bulkWrite()', async () => {
    await inA(() =>
      Note.bulkWrite(
        [
          { updateOne: { filter: { _id: 2 }, update: { text: 'x' } } },
          { updateMany: { filter: {}, update: { $set: { text: 'A' } } } },
          { replaceOne: { filter: { _id: 3 }, replacement: { _id: 3, text: 'x' } as NoteRow } },
          { deleteOne: { filter: { _id: 2 } } },
          { deleteMany: { filter: { tenantId: 'b' } } },
        ],
        { middleware: false } as never,
      ),
    );
    expect(stored()).toEqual(['a A', 'b B1', 'b B2']);
  });

  it('filters aggregate() and what its stages join', async () => {
    const run = (pipeline: object[], model: Model<never> = Note as never) =>
      inA(() => model.aggregate<Row>(pipeline as never));
    expect(await run([{ $sort: { _id: 1 } }])).toHaveLength(1);
    expect(await run([{ $match: { $or: [{ _id: 1 }, { _id: 2 }] } }])).toHaveLength(1);
    expect(await run([{ $match: { tenantId: 'b' } }])).toEqual([]);
    expect(await run([{ $group: { _id: null, n: { $sum: 1 } } }])).toEqual([{ _id: null, n: 1 }]);
    const lookup = { from: 'notes', localField: '_id', foreignField: 'folder', as: 'notes' };
    const textsIn = (rows: Row[]) => rows.map((row) => textsOf(row['notes'] as NoteRow[]));
    expect(textsIn(await run([{ $lookup: lookup }], Folder as never))).toEqual([['A1']]);
    const byPipeline = {
      from: 'notes',
      pipeline: [{ $match: { $expr: { $gt: ['$_id', 0] } } }],
      as: 'notes',
    };
    const ofCountry = [{ $lookup: byPipeline }];
    expect(textsIn(await run(ofCountry, Country as never))).toEqual([['A1']]);
    const facet = [{ $facet: { rows: [{ $lookup: lookup }], all: [{ $count: 'n' }] } }];
    expect(await run(facet, Folder as never)).toMatchObject([
      { rows: [{ notes: [{ text: 'A1' }] }], all: [{ n: 1 }] },
    ]);
    for (const union of ['notes', { coll: 'notes', pipeline: [{ $sort: { _id: 1 } }] }]) {
      const rows = await run([{ $unionWith: union }], Country as never);
      expect(rows.map((row) => row['text'])).toEqual([undefined, 'A1']);
    }
    const graph = {
      from: 'notes',
      startWith: '$_id',
      connectFromField: 'folder',
      connectToField: 'folder',
      as: 'notes',
    };
    expect(textsIn(await run([{ $graphLookup: graph }], Folder as never))).toEqual([['A1']]);
    const near = { $geoNear: { near: [0, 0], distanceField: 'd', query: { _id: { $gt: 0 } } } };
    expect(await run([near])).toHaveLength(1);
    expect((server.commands.at(-1)!['pipeline'] as Row[])[0]).toEqual({
      $geoNear: { near: [0, 0], distanceField: 'd', query: { _id: { $gt: 0 }, tenantId: 'a' } },
    });
    // The server takes $text in the first stage only.
    await run([{ $match: { $text: { $search: 'x' } } }]).catch(() => undefined);
    expect((server.commands.at(-1)!['pipeline'] as Row[])[0]).toEqual({
      $match: { $text: { $search: 'x' }, tenantId: 'a' },
    });
  });

  it('refuses stages that write, or that it cannot filter', async () => {
    for (const stage of [
      { $out: 'stolen' },
      { $merge: { into: 'notes' } },
      { $collStats: { count: {} } },
      { $search: { text: { query: 'x', path: 'text' } } },
      { $lookup: { from: { db: 'other', coll: 'notes' }, as: 'x', pipeline: [] } },
    ]) {
      await refused(() => Note.aggregate([stage] as never));
      await refused(() => Country.aggregate([stage] as never));
      await refused(() => Country.aggregate([{ $facet: { x: [stage] } }] as never));
    }
    expect(server.collections.has('stolen')).toBe(false);
  });

  it('refuses calls that read or change documents of all tenants', async () => {
    await refused(() => Note.estimatedDocumentCount());
    await refused(() => Note.collection.initializeOrderedBulkOp());
    await refused(() => Note.collection.drop());
    await refused(() => Note.collection.rename('x'));
    await refused(() => connection.watch());
    await refused(() => (connection as unknown as { bulkWrite(): unknown }).bulkWrite());
    await refused(() => Note.collection.watch());
    if (hasStreamErrors) {
      await refused(async () => {
        const stream = Note.watch();
        await new Promise((_, reject) => stream.on('error', reject));
      });
    }
    await Note.collection.drop();
    expect(server.collections.has('notes')).toBe(false);
  });

  it('refuses calls of the connection that read or change documents of all tenants', async () => {
    const union = [{ $documents: [{ a: 1 }] }, { $unionWith: 'notes' }];
    const copies = { viewOn: 'notes', pipeline: [] };
    for (const one of [connection, connection.useDb('app')]) {
      if ('aggregate' in one) {
        await refused(() => one.aggregate(union));
        await refused(() => one.aggregate([{ $documents: [] }]).append({ $unionWith: 'notes' }));
        expect(() => one.aggregate(union)).toThrow(TenantUnguardedError);
      }
      await refused(() => one.bulkWrite([]));
      await refused(() => one.dropCollection('notes'));
      await refused(() => one.dropDatabase());
      await refused(() => one.createCollection('copies', copies));
    }
    const sent = server.commands.map((command) => Object.keys(command)[0]);
    await inA(() => connection.createCollection('later'));
    await connection.createCollection('copies', copies);
    await connection.dropCollection('notes');
    await connection.dropDatabase();
    expect(server.commands.map((command) => Object.keys(command)[0])).toEqual([
      ...sent,
      'create',
      'create',
      'drop',
      'dropDatabase',
    ]);
    expect(sent).toEqual([]);
  });

  it('refuses collations that read two tenants as one', async () => {
    const collations = [
      { locale: 'en', strength: 1 },
      { locale: 'en', strength: 2 },
      { locale: 'en', alternate: 'shifted' as const },
      { locale: 'en', numericOrdering: true },
    ];
    for (const collation of collations) {
      await refused(() => Note.find().collation(collation));
      await refused(() => Note.aggregate([{ $count: 'n' }]).collation(collation));
      await refused(() => Note.deleteMany({}, { collation }));
      await refused(() => Note.updateMany({}, { text: 'x' }, { collation }));
      await refused(() => Note.bulkWrite([{ deleteMany: { filter: {}, collation } }]));
      await refused(() => Note.distinct('text').collation(collation));
      const joining = [{ $unionWith: 'notes' }];
      await refused(() => Country.aggregate(joining).collation(collation));
    }
    expect(await inA(() => Note.find().collation({ locale: 'en' }))).toHaveLength(1);
  });

  it('guards Model.collection, models of other databases, and calls that wait for the connection', async () => {
    expect(await inA(() => Note.collection.find().toArray())).toHaveLength(1);
    expect(await inA(() => connection.collection('notes').countDocuments())).toBe(1);
    const byMap = new Map([['_id', 9]]) as never;
    expect(await inA(() => Note.collection.deleteMany(byMap))).toMatchObject({ deletedCount: 0 });
    const other = connection.useDb('other').model('Note', noteSchema());
    expect(await inA(() => other.find())).toHaveLength(1);
    const early = mongoose.createConnection();
    connections.push(early);
    const Early = guardConnection(early).model('Note', noteSchema());
    const waiting = Promise.all([inA(() => Early.find()), inB(() => Early.find())]);
    const unnamed = Early.find().exec();
    await Promise.all([
      expect(unnamed).rejects.toThrow(TenantContextMissingError),
      early.openUri(server.url),
    ]);
    expect((await waiting).map(textsOf)).toEqual([['A1'], ['B1', 'B2']]);
  });

  it('guards the cursors of Model.collection', async () => {
    const notes = Note.collection;
    const b = { tenantId: 'b' };
    expect(await inA(() => notes.find().filter({}).toArray())).toHaveLength(1);
    expect(await inA(() => notes.find().filter(b).toArray())).toEqual([]);
    expect(await inA(() => notes.find().clone().filter({}).toArray())).toHaveLength(1);
    const made = await inA(() => ({ cursor: notes.find() }));
    expect(await inB(() => made.cursor.filter({}).toArray())).toMatchObject([{ text: 'A1' }]);
    const loose = { locale: 'en', strength: 1 };
    await refused(() => notes.find().collation(loose).toArray());
    await refused(() => notes.find().count({ collation: loose }));
    await refused(() => notes.find().addQueryModifier('$query', {}).toArray());
    expect(await inA(() => notes.find().collation({ locale: 'en' }).toArray())).toHaveLength(1);
    expect(await Country.collection.find().filter({}).toArray()).toHaveLength(1);
  });

  it('guards stages that are added to the cursors of Model.collection', async () => {
    const lookup = { from: 'notes', as: 'all', pipeline: [] };
    const joined = await inA(() => Country.collection.aggregate([]).lookup(lookup).toArray());
    expect(joined).toMatchObject([{ all: [{ text: 'A1' }] }]);
    const made = await inA(() => ({ cursor: Note.collection.aggregate([]) }));
    const rows = await inB(() => made.cursor.clone().match({}).lookup(lookup).toArray());
    expect(rows).toMatchObject([{ text: 'A1', all: [{ text: 'A1' }] }]);
    await refused(() => Note.collection.aggregate([]).out('stolen').toArray());
    await refused(() => Country.collection.aggregate([]).addStage({ $merge: 'notes' }).toArray());
    const loose = { collation: { locale: 'en', strength: 1 } };
    await refused(() => Country.collection.aggregate([], loose).lookup(lookup).toArray());
    expect(server.collections.has('stolen')).toBe(false);
  });

  it('guards models that were made before', async () => {
    const late = mongoose.createConnection(server.url, { autoCreate: false, autoIndex: false });
    connections.push(late);
    const Late = late.model('Note', noteSchema());
    guardConnection(late);
    expect(await inA(() => Late.find())).toHaveLength(1);
    expect(() => guardConnection(late)).toThrow(TenantOptionError);
  });

  it('stays with each tenant in parallel, in transactions and queries that tenants share', async () => {
    const wanted = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 'a' : 'b'));
    const answers = await Promise.all(wanted.map((tenant) => tenancy.run(tenant, all)));
    expect(answers.filter((it, i) => it[0] !== (wanted[i] === 'a' ? 'A1' : 'B1'))).toEqual([]);
    const query = await inA(() => [Note.find()]);
    expect(textsOf(await inB(() => query[0]!.exec()))).toEqual(['B1', 'B2']);
    const seen = await inA(() =>
      connection.transaction(async (session) => {
        await Note.create([{ _id: 40, text: 'A2' }], { session });
        const inner = await inB(all);
        return [inner, textsOf(await Note.find().session(session))];
      }),
    );
    expect(seen).toEqual([
      ['B1', 'B2'],
      ['A1', 'A2'],
    ]);
    const filters = server.commands.filter(({ find }) => find).map(({ filter }) => filter as Row);
    expect(filters.every(({ tenantId }) => tenantId === 'a' || tenantId === 'b')).toBe(true);
  });

  it('has a guard for each method of the driver that Mongoose passes on', async () => {
    const names = Object.getOwnPropertyNames(mongoose.mongo.Collection.prototype);
    const own = Object.getOwnPropertyNames(Note.collection);
    const about = /index|constructor|^options$|isCapped/i;
    const getters = ['dbName', 'namespace', 'fullNamespace', 'readConcern'];
    getters.push('readPreference', 'bsonOptions', 'writeConcern', 'hint', 'timeoutMS');
    expect(names.filter((name) => !own.includes(name) && !about.test(name))).toEqual(getters);
    await inA(() => Note.collection.createIndex({ text: 1 })).catch(() => undefined);
  });

  it('reads all documents in runCentral() where the options allow it', async () => {
    const allowed = await open({ central: 'all' });
    const Any = allowed.model('Note', noteSchema());
    expect(await tenancy.runCentral('report', () => Any.countDocuments())).toBe(3);
    expect(await tenancy.runCentral('report', () => Any.estimatedDocumentCount())).toBe(3);
    if ('aggregate' in allowed) {
      const union = [{ $documents: [] }, { $unionWith: 'notes' }];
      await tenancy.runCentral('report', () => allowed.aggregate(union));
      expect(server.commands.at(-1)).toMatchObject({ aggregate: 1, pipeline: union });
    }
    expect(await inA(() => Any.countDocuments())).toBe(1);
    await expect(Any.countDocuments()).rejects.toThrow(TenantContextMissingError);
  });

  it('stores the id as the documents have it', async () => {
    const [idA, idB] = [new Types.ObjectId(), new Types.ObjectId()];
    server.collections.set('items', [
      { _id: 1, org: idA },
      { _id: 2, org: idB },
    ]);
    const items = await open({ field: 'org', stored: (id) => new Types.ObjectId(id) });
    const Item = items.model('Item', new Schema({ _id: Number, org: Schema.Types.ObjectId }));
    const inOrg = <R>(run: () => R) => tenancy.run({ tenantId: idA.toHexString() }, run);
    expect(await inOrg(() => Item.countDocuments())).toBe(1);
    await inOrg(() => Item.create({ _id: 3 }));
    await inOrg(() => Item.create({ _id: 4, org: idA.toHexString() }));
    expect(await inOrg(() => Item.countDocuments())).toBe(3);
    await expect(inOrg(() => Item.create({ _id: 5, org: idB }))).rejects.toThrow(
      TenantRowMismatchError,
    );
  });

  it.each([Buffer.from('a'), Types.Decimal128.fromString('1'), new Date(0), undefined, null, NaN])(
    'refuses stored() that returns a value which cannot be compared: %p',
    async (value) => {
      const wrong = await open({ stored: () => value });
      const Wrong = wrong.model('Note', new Schema({ _id: Number, tenantId: {} }));
      await expect(inA(() => Wrong.find())).rejects.toThrow(TenantOptionError);
      await expect(inA(() => Wrong.collection.insertOne({}))).rejects.toThrow('{ stored }');
    },
  );

  it('does not see: the driver, references by id, documents that code keeps', async () => {
    const driver = connection.getClient().db('app').collection('notes');
    expect(await inA(() => driver.find().toArray())).toHaveLength(3);
    expect(await inA(() => connection.db?.collection('notes').countDocuments())).toBe(3);
    await inA(() => Note.create({ _id: 50, text: 'A2', folder: 2 }));
    expect(stored()).toContain('a A2');
    const held = await inA(() => Note.findById(1));
    expect(await inB(() => held?.text)).toBe('A1');
  });
});

describe('a cursor of a connection per tenant that tenancy.run() returns', () => {
  type Cursor = AsyncIterable<unknown> & {
    next(): Promise<unknown>;
    close(): Promise<void>;
    toArray(): Promise<unknown[]>;
  };
  const start = async () => {
    const connect = async () => mongoose.createConnection(server.url).asPromise();
    @Module({
      imports: [
        TenantModule.forRoot({ strategy: 'header', budget: { connections: 1, waitMs: 2_000 } }),
        TenantConnectionsModule.forRoot({
          provide: 'DB',
          connections: 1,
          create: connect,
          dispose: (db) => db.close(),
        }),
      ],
    })
    class AppModule {}
    const [platform] = platforms as [(typeof platforms)[number]];
    const app = await (await createApp(AppModule, platform.adapter())).init();
    return { tenancy: app.get(Tenancy), db: app.get<Connection>('DB') };
  };

  it.each<[string, number, (cursor: Cursor) => Promise<unknown>]>([
    [
      'for await',
      3,
      async (cursor) => {
        for await (const row of cursor) expect(row).toBeDefined();
      },
    ],
    [
      'a for await that ends early',
      1,
      async (cursor) => {
        for await (const row of cursor) if (row) break;
      },
    ],
    [
      'next() until null',
      3,
      async (cursor) => {
        while ((await cursor.next()) !== null);
      },
    ],
    ['toArray()', 3, async (cursor) => cursor.toArray()],
    ['close()', 0, async (cursor) => cursor.close()],
    ['nothing', 0, async () => undefined],
  ])('is read for its tenant, and keeps no connection: %s', async (_, rows, read) => {
    const { tenancy, db } = await start();
    const seenIn: unknown[] = [];
    const cursor = await tenancy.run('a', () =>
      db
        .collection('notes')
        .find()
        .map((row) => {
          seenIn.push(tenancy.currentOrNull()?.tenantId);
          return row;
        }),
    );
    await read(cursor as never);
    expect(seenIn).toEqual(Array.from({ length: rows }, () => 'a'));
    expect(await tenancy.run('b', () => 'b')).toBe('b');
  });

  it('keeps no connection for a cursor of a model', async () => {
    const { tenancy, db } = await start();
    const cursor = await tenancy.run('a', () => db.model('Note', noteSchema()).find().cursor());
    for await (const row of cursor) if (row) break;
    expect(await tenancy.run('b', () => 'b')).toBe('b');
  });
});
