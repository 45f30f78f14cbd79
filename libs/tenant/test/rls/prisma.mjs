// The application of docs/prisma.md, of the built package and with a generated client. Prints one line of JSON: what
// rls-prisma.spec.ts expects. Arguments: the file of the application, and the URL of a superuser, whom policies
// do not apply to.
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Propagation, TransactionHost } from '@nestjs-cls/transactional';
import { NestFactory } from '@nestjs/core';
import { Tenancy } from '@fledge/tenant';
import { bindTenant, prismaQuery } from '@fledge/tenant/rls';

const [, , file, superuserUrl] = process.argv;
const { AppModule, Notes, PrismaService } = await import(pathToFileURL(file));
const require = createRequire(file);
const { PrismaPg } = require('@prisma/adapter-pg');
const { PrismaClient } = require('shops-client');

const clientOf = (connectionString, max) =>
  new PrismaClient({ adapter: new PrismaPg({ connectionString, max }) });

const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
const host = app.get(TransactionHost);
const tenancy = app.get(Tenancy);
const prisma = app.get(PrismaService);

const within = (tenant, work, options) =>
  tenancy.run(tenant, () =>
    host.withTransaction({ maxWait: 60_000, ...options }, () => work(host.tx)),
  );
const textsOf = (rows) => rows.map(({ text }) => text).toSorted();
const texts = async (tx) => textsOf(await tx.note.findMany());
/** Of Prisma, or of PostgreSQL behind it. */
const codeOf = (error) => {
  const { code, meta } = error;
  const original = meta?.driverAdapterError?.cause?.originalCode ?? error.cause?.originalCode;
  return original ?? code ?? error.name;
};
const failure = (work) =>
  work().then(
    (value) => ({ answered: value }),
    (error) => codeOf(error),
  );
const inA = (work) => failure(() => within('a', work));

// Of b, which the calls below name in the transactions of a.
const ofB = await within('b', async (tx) => ({
  folder: (await tx.folder.findFirst()).id,
  note: (await tx.note.findFirst()).id,
  label: (await tx.label.findFirst()).id,
}));
const ofA = await within('a', async (tx) => ({
  folder: (await tx.folder.findFirst()).id,
  note: (await tx.note.findFirst()).id,
}));

/** What a request of a can do about rows of b. */
const rows = {
  all: await inA(texts),
  byId: await inA((tx) => tx.note.findUnique({ where: { id: ofB.note } })),
  or: await inA(async (tx) =>
    textsOf(await tx.note.findMany({ where: { OR: [{ tenantId: 'b' }, { id: { gt: 0 } }] } })),
  ),
  count: await inA((tx) => tx.note.count()),
  grouped: await inA((tx) => tx.note.groupBy({ by: ['tenantId'], _count: true })),
  raw: await inA((tx) => tx.$queryRaw`select text from note`),
  updateMany: await inA((tx) => tx.note.updateMany({ data: { text: 'A1' } })),
  update: await inA((tx) => tx.note.update({ where: { id: ofB.note }, data: { text: 'x' } })),
  delete: await inA((tx) => tx.note.delete({ where: { id: ofB.note } })),
  upsert: await inA((tx) =>
    tx.note.upsert({
      where: { id: ofB.note },
      create: { id: ofB.note, text: 'x' },
      update: { text: 'x' },
    }),
  ),
  insert: await inA((tx) => tx.note.create({ data: { tenantId: 'b', text: 'x' } })),
  createMany: await inA((tx) =>
    tx.note.createMany({ data: [{ text: 'mine' }, { tenantId: 'b', text: 'x' }] }),
  ),
  move: await inA((tx) => tx.note.update({ where: { id: ofA.note }, data: { tenantId: 'b' } })),
};

const relations = {
  include: await inA(async (tx) =>
    (await tx.folder.findMany({ include: { notes: true } })).map(({ notes }) => textsOf(notes)),
  ),
  count: await inA(async (tx) =>
    (await tx.folder.findMany({ include: { _count: { select: { notes: true } } } })).map(
      ({ _count }) => _count.notes,
    ),
  ),
  filter: await inA(async (tx) =>
    textsOf(await tx.note.findMany({ where: { folder: { is: { name: { contains: 'B' } } } } })),
  ),
  none: await inA((tx) => tx.folder.count({ where: { notes: { some: { text: 'B1' } } } })),
  fluent: await inA((tx) => tx.folder.findUnique({ where: { id: ofB.folder } }).notes()),
  fluentOwn: await inA(async (tx) =>
    textsOf(await tx.folder.findUnique({ where: { id: ofA.folder } }).notes()),
  ),
};

const undo = new Error('undone');
undo.code = 'undone';
/** Reads inside the transaction, which ends without changes. */
const undone = (tenant, work) => {
  let answer;
  return within(tenant, async (tx) => {
    answer = await work(tx);
    throw undo;
  }).catch((error) => (error === undo ? answer : codeOf(error)));
};

const writes = {
  nestedCreate: await undone('a', async (tx) => {
    const { id } = await tx.folder.create({
      data: { name: 'new', notes: { create: [{ text: 'A2', labels: { create: { name: 'l' } } }] } },
    });
    return tx.folder.findUnique({
      where: { id },
      select: { tenantId: true, notes: { select: { tenantId: true, text: true, labels: true } } },
    });
  }).then(({ notes: [{ labels, ...note }], tenantId }) => [
    tenantId,
    note,
    labels.map((label) => label.tenantId),
  ]),
  nestedCreateForB: await inA((tx) =>
    tx.folder.create({ data: { name: 'x', notes: { create: { tenantId: 'b', text: 'x' } } } }),
  ),
  nestedUpdate: await inA((tx) =>
    tx.folder.update({
      where: { id: ofA.folder },
      data: { notes: { update: { where: { id: ofB.note }, data: { text: 'x' } } } },
    }),
  ),
  nestedUpdateMany: await undone('a', async (tx) => {
    await tx.folder.update({
      where: { id: ofA.folder },
      data: { notes: { updateMany: { where: {}, data: { text: 'changed' } } } },
    });
    return tx.note.count({ where: { text: 'changed' } });
  }),
  nestedDelete: await inA((tx) =>
    tx.folder.update({
      where: { id: ofA.folder },
      data: { notes: { delete: { id: ofB.note } } },
    }),
  ),
  connectChild: await inA((tx) =>
    tx.folder.update({
      where: { id: ofA.folder },
      data: { notes: { connect: { id: ofB.note } } },
    }),
  ),
  set: await undone('a', async (tx) => {
    await tx.folder.update({ where: { id: ofA.folder }, data: { notes: { set: [] } } });
    return tx.note.count({ where: { folderId: null } });
  }),
  connectOrCreate: await undone('a', async (tx) => {
    await tx.folder.update({
      where: { id: ofA.folder },
      data: {
        notes: { connectOrCreate: { where: { id: ofB.note }, create: { text: 'own' } } },
      },
    });
    return texts(tx);
  }),
  connectParent: await inA((tx) =>
    tx.note.update({
      where: { id: ofA.note },
      data: { folder: { connect: { id: ofB.folder } } },
    }),
  ),
  // The row of b exists, which only the foreign key sees. Policies do not apply to it.
  foreignKey: await undone('a', (tx) =>
    tx.note
      .update({
        where: { id: ofA.note },
        data: { folderId: ofB.folder },
        include: { folder: true },
      })
      .then(({ folderId, folder }) => [folderId === ofB.folder, folder]),
  ),
  foreignKeyWithTenant: await inA((tx) =>
    tx.label.create({ data: { name: 'x', tenantId: 'a', noteId: ofB.note } }),
  ),
  foreignKeyOfB: await inA((tx) =>
    tx.label.create({ data: { name: 'x', tenantId: 'b', noteId: ofB.note } }),
  ),
};

const wanted = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 'a' : 'b'));
const right = { a: 'A1', b: 'B1' };
const parallel = await Promise.all(wanted.map((tenant) => within(tenant, texts)));
// Prisma joins findUnique calls of one tick into one statement.
const idOf = { a: ofA.note, b: ofB.note };
const joined = await Promise.all(
  wanted.map((tenant) =>
    within(tenant, (tx) =>
      Promise.all([
        tx.note.findUnique({ where: { id: idOf.a } }),
        tx.note.findUnique({ where: { id: idOf.b } }),
      ]),
    ),
  ),
);
const seen = joined.map((pair) => textsOf(pair.filter(Boolean)));
const wrongOf = (answers) =>
  answers.filter((answer, i) => answer.join() !== right[wanted[i]]).length;

const transactions = {
  wrongOf40: wrongOf(parallel),
  wrongOf40Joined: wrongOf(seen),
  other: await within('a', async (tx) => [
    await texts(tx),
    await within('b', texts),
    await texts(host.tx),
  ]),
  documented: await tenancy.run('a', async () =>
    (await app.get(Notes).list()).map(({ text, folder }) => [text, folder.name]),
  ),
  setLocal: await tenancy.run('a', () =>
    prisma.$transaction(async (tx) => {
      await bindTenant(prismaQuery(tx), { by: 'SET LOCAL' });
      return texts(tx);
    }),
  ),
  // Prisma names the schema in its statements, whatever the search path.
  schemaOf: await tenancy.run('a', () =>
    prisma.$transaction(async (tx) => {
      await bindTenant(prismaQuery(tx), { schemaOf: () => 'of a' });
      return texts(tx);
    }),
  ),
  outside: await tenancy.run('a', () => texts(prisma)),
  batch: await tenancy.run('a', async () => {
    const [notes, count] = await prisma.$transaction([prisma.note.findMany(), prisma.note.count()]);
    return [notes, count];
  }),
  insertOutside: await failure(() =>
    tenancy.run('a', () => prisma.note.create({ data: { tenantId: 'a', text: 'x' } })),
  ),
  withoutTenant: await failure(() => host.withTransaction(() => texts(host.tx))),
  central: await tenancy.runCentral('report', () => host.withTransaction(() => texts(host.tx))),
  nested: await within('a', async () =>
    host.withTransaction(Propagation.Nested, () => texts(host.tx)),
  ),
  nestedUndone: await within('a', async (tx) => {
    await host
      .withTransaction(Propagation.Nested, async () => {
        await host.tx.note.create({ data: { text: 'undone' } });
        throw undo;
      })
      .catch(() => {});
    return texts(tx);
  }),
  undone: await undone('a', async (tx) => {
    await tx.note.create({ data: { text: 'A2' } });
    return texts(tx);
  }),
  // Ended by Prisma while a statement runs, as for a client that left.
  timedOut: await failure(() =>
    within(
      'a',
      async (tx) => {
        await tx.note.create({ data: { text: 'late' } });
        await tx.$queryRaw`select pg_sleep(0.6)::text`;
        return texts(tx);
      },
      { timeout: 200 },
    ),
  ),
  // The server closes the connection in the middle.
  killed: await failure(() =>
    within('a', async (tx) => {
      await tx.note.create({ data: { text: 'killed' } });
      const [{ pid }] = await tx.$queryRaw`select pg_backend_pid()::int as pid`;
      const superuser = clientOf(superuserUrl, 1);
      await superuser.$queryRaw`select pg_terminate_backend(${pid}::int)`;
      await superuser.$disconnect();
      return texts(tx);
    }),
  ).then((answer) => typeof answer === 'string'),
  thenB: await Promise.all([within('b', texts), within('b', texts), within('b', texts)]),
  afterwards: [await within('a', texts), await tenancy.run('b', () => texts(prisma))],
};

console.log(JSON.stringify({ rows, relations, writes, transactions, extension: await extended() }));
await app.close();

/** An extension that adds the tenant to `where` and `data`, without policies: what it stops, and what it does not. */
async function extended() {
  const plain = clientOf(superuserUrl, 2);
  const tenantOf = () => tenancy.current().tenantId;
  const db = plain.$extends({
    query: {
      $allModels: {
        $allOperations({ operation, args, query }) {
          const tenantId = tenantOf();
          const changed = { ...args };
          if (operation !== 'create' && operation !== 'createMany') {
            changed.where = {
              ...args.where,
              AND: [{ tenantId }, ...[args.where?.AND ?? []].flat()],
            };
          }
          if (operation === 'create') changed.data = { tenantId, ...args.data };
          return query(changed);
        },
      },
    },
  });
  const attempt = (work) => failure(() => tenancy.run('a', work));
  /** Then undoes what it did. */
  const leaks = async (work, undo) => {
    const answer = await attempt(work);
    await undo();
    return answer;
  };
  const home = () =>
    plain.note.update({
      where: { id: ofB.note },
      data: { tenantId: 'b', text: 'B1', folderId: ofB.folder },
    });

  // A row of b in a folder of a, as a forgotten check leaves it behind.
  await plain.note.update({ where: { id: ofB.note }, data: { folderId: ofA.folder } });
  const stray = {
    include: await attempt(async () =>
      (await db.folder.findMany({ include: { notes: true } })).map(({ notes }) => textsOf(notes)),
    ),
    count: await attempt(async () =>
      (await db.folder.findMany({ include: { _count: { select: { notes: true } } } })).map(
        ({ _count }) => _count.notes,
      ),
    ),
    filter: await attempt(() => db.folder.count({ where: { notes: { some: { text: 'B1' } } } })),
    fluent: await attempt(async () =>
      textsOf(await db.folder.findUnique({ where: { id: ofA.folder } }).notes()),
    ),
    nestedUpdate: await leaks(
      () =>
        db.folder
          .update({
            where: { id: ofA.folder },
            data: { notes: { updateMany: { where: {}, data: { text: 'changed' } } } },
          })
          .then(() => plain.note.findUnique({ where: { id: ofB.note }, select: { text: true } })),
      async () => {
        await home();
        await plain.note.update({ where: { id: ofA.note }, data: { text: 'A1' } });
      },
    ),
  };
  const answers = {
    stopped: {
      find: await attempt(async () => textsOf(await db.note.findMany())),
      update: await attempt(() => db.note.update({ where: { id: ofB.note }, data: { text: 'x' } })),
      delete: await attempt(() => db.note.delete({ where: { id: ofB.note } })),
    },
    leaked: {
      ...stray,
      nestedCreate: await leaks(
        async () => {
          const made = await db.folder.create({
            data: { name: 'x', notes: { create: { tenantId: 'b', text: 'x' } } },
            include: { notes: true },
          });
          return made.notes[0].tenantId;
        },
        async () => {
          await plain.note.deleteMany({ where: { text: 'x' } });
          await plain.folder.deleteMany({ where: { name: 'x' } });
        },
      ),
      connect: await leaks(async () => {
        await db.folder.update({
          where: { id: ofA.folder },
          data: { notes: { connect: { id: ofB.note } } },
        });
        const moved = await plain.note.findUnique({ where: { id: ofB.note } });
        return moved.folderId === ofA.folder;
      }, home),
      data: await leaks(
        async () => (await db.note.create({ data: { tenantId: 'b', text: 'x' } })).tenantId,
        () => plain.note.deleteMany({ where: { text: 'x' } }),
      ),
      raw: await attempt(async () => textsOf(await db.$queryRaw`select text from note`)),
    },
  };
  answers.survivedRollback = await batches();
  await plain.$disconnect();
  return answers;

  /** An extension that sets the tenant in a batch transaction, with policies. */
  async function batches() {
    const bound = prisma.$extends({
      query: {
        $allModels: {
          async $allOperations({ args, query }) {
            const [, answer] = await prisma.$transaction([
              prisma.$queryRaw`select set_config('app.tenant_id', ${tenantOf()}, true)`,
              query(args),
            ]);
            return answer;
          },
        },
      },
    });
    await tenancy
      .run('a', () =>
        bound.$transaction(async (tx) => {
          await tx.note.create({ data: { tenantId: 'a', text: 'survivor' } });
          throw undo;
        }),
      )
      .catch(() => {});
    const { count } = await plain.note.deleteMany({ where: { text: 'survivor' } });
    return count;
  }
}
