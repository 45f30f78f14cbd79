// Speaks enough of MongoDB's wire protocol for the real driver and the real Mongoose: OP_MSG, and OP_QUERY for the first
// message. mingo evaluates the filters, updates and pipelines that arrive. It is not MongoDB: transactions do not roll
// back, and there are no indexes but the one of _id.
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { aggregate, Query, updateMany, updateOne } from 'mingo';
import mongoose from 'mongoose';

const { BSON } = mongoose.mongo;

export type Row = Record<string, unknown>;
type Command = Row;

export interface MongoServer {
  readonly url: string;
  /** The documents of each collection. */
  readonly collections: Map<string, Row[]>;
  /** What arrived, in order, without handshakes. */
  readonly commands: Command[];
  close(): Promise<void>;
}

export async function openMongoServer(): Promise<MongoServer> {
  const collections = new Map<string, Row[]>();
  const commands: Command[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 4 && received.length >= received.readInt32LE(0)) {
        const size = received.readInt32LE(0);
        socket.write(answerTo(received.subarray(0, size)));
        received = received.subarray(size);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;

  function answerTo(message: Buffer): Buffer {
    const id = message.readInt32LE(4);
    const code = message.readInt32LE(12);
    if (code === 2004) return oldReply(id, hello(host));
    return reply(id, run(commandIn(message)));
  }

  function run(command: Command): Row {
    const [name = ''] = Object.keys(command);
    if (/^(hello|ismaster|ping|endSessions)$/i.test(name)) return hello(host);
    commands.push(command);
    try {
      return { ok: 1, ...(COMMANDS[name]?.(command, collections) ?? {}) };
    } catch (error) {
      return { ok: 0, code: 2, errmsg: String(error) };
    }
  }

  return {
    url: `mongodb://${host}/app?directConnection=true`,
    collections,
    commands,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

const hello = (host: string): Row => ({
  ok: 1,
  helloOk: true,
  isWritablePrimary: true,
  ismaster: true,
  setName: 'rs',
  hosts: [host],
  me: host,
  primary: host,
  localTime: new Date(),
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: 25,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
});

const rowsOf = (all: Map<string, Row[]>, name: unknown): Row[] => {
  const rows = all.get(name as string) ?? [];
  all.set(name as string, rows);
  return rows;
};
const cursor = (collection: unknown, firstBatch: Row[]): Row => ({
  cursor: { id: new BSON.Long(0), ns: `app.${String(collection)}`, firstBatch },
});

const COMMANDS: Record<string, (command: Command, all: Map<string, Row[]>) => Row> = {
  find({ find, filter = {}, sort, limit = 0, projection }, all) {
    const found = new Query(filter as Row).find<Row>(rowsOf(all, find), projection as Row);
    if (sort) found.sort(sort as Row);
    if (limit) found.limit(Number(limit));
    return cursor(find, found.all());
  },
  aggregate({ aggregate: name, pipeline, collation }, all) {
    const [first, ...rest] = pipeline as Row[];
    // mingo has no $geoNear. Only its condition matters here.
    const near = first?.['$geoNear'] as Row | undefined;
    const stages = near ? [{ $match: near['query'] }, ...rest] : (pipeline as Row[]);
    const rows = aggregate(rowsOf(all, name), stages, {
      collectionResolver: (other: string) => rowsOf(all, other),
      ...(collation ? { collation: collation as never } : {}),
    });
    return cursor(name, rows);
  },
  insert({ insert, documents }, all) {
    const rows = rowsOf(all, insert);
    const writeErrors: Row[] = [];
    for (const [index, document] of (documents as Row[]).entries()) {
      if (rows.some(({ _id }) => String(_id) === String(document['_id']))) {
        writeErrors.push({
          index,
          code: 11_000,
          errmsg: 'E11000 duplicate key',
          keyPattern: { _id: 1 },
        });
        break;
      }
      rows.push(document);
    }
    const n = (documents as Row[]).length - writeErrors.length;
    return { n, ...(writeErrors.length > 0 && { writeErrors }) };
  },
  update({ update, updates }, all) {
    const rows = rowsOf(all, update);
    const upserted: Row[] = [];
    let n = 0;
    for (const [index, { q, u, multi, upsert }] of (updates as Row[]).entries()) {
      const matched = change(rows, { q, u, multi });
      n += matched;
      if (matched > 0 || upsert !== true) continue;
      const _id = insertUpserted(rows, q as Row, u);
      upserted.push({ index, _id });
      n += 1;
    }
    return { n, nModified: n - upserted.length, ...(upserted.length > 0 && { upserted }) };
  },
  delete({ delete: name, deletes }, all) {
    const rows = rowsOf(all, name);
    let n = 0;
    for (const { q, limit } of deletes as Row[]) {
      const found = new Query(q as Row).find<Row>(rows).all();
      for (const one of limit === 1 ? found.slice(0, 1) : found) {
        rows.splice(rows.indexOf(one), 1);
        n += 1;
      }
    }
    return { n };
  },
  findAndModify({ findAndModify, query, update, remove, new: isNew, upsert }, all) {
    const rows = rowsOf(all, findAndModify);
    const [found] = new Query(query ?? {}).find<Row>(rows).all();
    if (!found && upsert !== true) return { value: null, lastErrorObject: { n: 0 } };
    if (!found) {
      const _id = insertUpserted(rows, query as Row, update);
      const value = isNew ? rows.find((row) => row['_id'] === _id) : null;
      return { value, lastErrorObject: { n: 1, upserted: _id } };
    }
    const before = structuredClone(plain(found));
    if (remove) rows.splice(rows.indexOf(found), 1);
    else change(rows, { q: query, u: update });
    return { value: isNew ? found : before, lastErrorObject: { n: 1, updatedExisting: !remove } };
  },
  distinct({ distinct, key, query = {} }, all) {
    const found = new Query(query as Row).find<Row>(rowsOf(all, distinct)).all();
    return { values: [...new Set(found.map((row) => row[key as string]))] };
  },
  count({ count, query = {} }, all) {
    return { n: new Query(query as Row).find<Row>(rowsOf(all, count)).all().length };
  },
  drop: ({ drop }, all) => void all.delete(drop as string) as never,
};

/** Without classes of BSON, which structuredClone() does not copy. */
const plain = (row: Row): Row => JSON.parse(JSON.stringify(row)) as Row;

function change(rows: Row[], { q, u, multi }: Row): number {
  const isReplacement =
    !Array.isArray(u) && !Object.keys(u as Row).some((key) => key.startsWith('$'));
  if (isReplacement) {
    const [found] = new Query(q as Row).find<Row>(rows).all();
    if (found) rows[rows.indexOf(found)] = { _id: found['_id'], ...(u as Row) };
    return found ? 1 : 0;
  }
  const run = multi === true ? updateMany : updateOne;
  return run(rows, q as Row, u as never).matchedCount;
}

/** Starts with the fields that the filter compares for equality, as MongoDB does. */
function insertUpserted(rows: Row[], query: Row, update: unknown): unknown {
  const row: Row = {};
  const collect = (filter: Row): void => {
    for (const [key, value] of Object.entries(filter)) {
      if (key === '$and') for (const one of value as Row[]) collect(one);
      else if (!key.startsWith('$')) row[key] = value;
    }
  };
  collect(query);
  row['_id'] ??= new BSON.ObjectId();
  if (rows.some(({ _id }) => String(_id) === String(row['_id']))) {
    throw new Error('E11000 duplicate key');
  }
  const { $setOnInsert, ...rest } = Array.isArray(update) ? {} : (update as Row);
  const isReplacement =
    !Array.isArray(update) && !$setOnInsert && !Object.keys(rest).some((k) => k.startsWith('$'));
  Object.assign(row, isReplacement ? rest : $setOnInsert);
  rows.push(row);
  if (Array.isArray(update)) updateOne(rows, { _id: row['_id'] }, update as never);
  else if (!isReplacement && Object.keys(rest).length > 0) {
    updateOne(rows, { _id: row['_id'] }, rest as never);
  }
  return row['_id'];
}

function commandIn(message: Buffer): Command {
  let at = 20;
  let command: Command = {};
  while (at < message.length) {
    const kind = message[at++];
    const size = message.readInt32LE(at);
    if (kind === 0) {
      command = { ...BSON.deserialize(message.subarray(at, at + size)), ...command };
    } else {
      const end = message.indexOf(0, at + 4);
      const documents: Row[] = [];
      for (let one = end + 1; one < at + size; one += message.readInt32LE(one)) {
        documents.push(BSON.deserialize(message.subarray(one, one + message.readInt32LE(one))));
      }
      command = { ...command, [message.toString('utf8', at + 4, end)]: documents };
    }
    at += size;
  }
  return command;
}

function reply(to: number, document: Row): Buffer {
  const body = BSON.serialize(document);
  const head = Buffer.alloc(21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(to, 8);
  head.writeInt32LE(2013, 12);
  return Buffer.concat([head, body]);
}

/** OP_REPLY, for the OP_QUERY of a handshake. */
function oldReply(to: number, document: Row): Buffer {
  const body = BSON.serialize(document);
  const head = Buffer.alloc(36);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(to, 8);
  head.writeInt32LE(1, 12);
  head.writeInt32LE(1, 32);
  return Buffer.concat([head, body]);
}
