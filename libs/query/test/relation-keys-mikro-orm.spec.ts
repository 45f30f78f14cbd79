// Entities of MikroORM whose primary key is a relation: filters, order, tie-breakers and cursors.
import { parseQuery } from '@fledge/query';
import { mikroOrmAdapter, type MikroOrmQueryConfig } from '@fledge/query/mikro-orm';
import { EntitySchema, MikroORM, type EntityManager } from '@mikro-orm/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSchema, SqliteDriver } from './support/mikro-sqlite.js';

interface Member {
  readonly user: { readonly id: number };
  readonly team: { readonly id: string };
  readonly role: string | null;
}
interface Profile {
  readonly user: { readonly id: number };
  readonly bio: string;
}

interface Note {
  readonly profile: Profile;
  readonly text: string;
}

const User = new EntitySchema<{ id: number; name: string }>({
  name: 'User',
  properties: { id: { type: 'integer', primary: true }, name: { type: 'text' } },
});
const Team = new EntitySchema<{ id: string }>({
  name: 'Team',
  properties: { id: { type: 'text', primary: true } },
});
const MemberEntity = new EntitySchema<Member>({
  name: 'Member',
  properties: {
    user: { kind: 'm:1', entity: () => User, primary: true, fieldName: 'user_id' },
    team: { kind: 'm:1', entity: () => Team, primary: true, fieldName: 'team_id' },
    role: { type: 'text', nullable: true },
  },
} as never);
const ProfileEntity = new EntitySchema<Profile>({
  name: 'Profile',
  properties: {
    user: { kind: '1:1', entity: () => User, primary: true, fieldName: 'user_id', owner: true },
    bio: { type: 'text' },
  },
} as never);
/** Its key is the key of a profile, which is the key of a user. */
const NoteEntity = new EntitySchema<Note>({
  name: 'Note',
  properties: {
    profile: {
      kind: '1:1',
      entity: () => ProfileEntity,
      primary: true,
      fieldName: 'profile_id',
      owner: true,
    },
    text: { type: 'text' },
  },
} as never);

let orm: MikroORM;
let em: EntityManager;

beforeAll(async () => {
  orm = await MikroORM.init({
    driver: SqliteDriver,
    dbName: ':memory:',
    entities: [User, Team, MemberEntity, ProfileEntity, NoteEntity],
    allowGlobalContext: true,
  });
  await createSchema(orm);
  em = orm.em.fork();
  for (let id = 1; id <= 4; id++) {
    await em.insert(User, { id, name: `user ${id}` });
    await em.insert(ProfileEntity, { user: id, bio: `bio ${id % 2}` });
    await em.insert(NoteEntity, { profile: id, text: 'same' } as never);
  }
  for (const id of ['a', 'b']) await em.insert(Team, { id });
  for (let user = 1; user <= 4; user++) {
    for (const team of ['a', 'b']) {
      await em.insert(MemberEntity, { user, team, role: user > 2 ? 'owner' : null });
    }
  }
});
afterAll(() => orm.close(true));

const MEMBERS: MikroOrmQueryConfig = {
  filterable: ['user', 'team', 'role', 'user.name'],
  sortable: ['user', 'team', 'role'],
};
/** The query of a URL, as servers decode it. */
const wireOf = (text: string) => {
  const parameters = new URLSearchParams(text);
  return Object.fromEntries([...parameters.keys()].map((key) => [key, parameters.getAll(key)]));
};
const keyOf = ({ user, team }: Member) => `${user.id}${team.id}`;
const members = () => mikroOrmAdapter<Member>(em.fork().getRepository<Member>(MemberEntity));
const found = async (text: string) => {
  const { where, ...page } = members().build(parseQuery(wireOf(text), MEMBERS), MEMBERS);
  return (await em.fork().find(MemberEntity, where as never, page as never)).map(keyOf);
};

describe('an entity whose primary key is relations', () => {
  it.each([
    ['filter=user:eq:3', ['3a', '3b']],
    ['filter=user:gt:2&filter=team:eq:b', ['3b', '4b']],
    ['filter=user:in:1,4&filter=team:neq:a', ['1b', '4b']],
    ['filter=user:between:2,3&filter=team:contains:A', ['2a', '3a']],
    ['filter=user.name:eq:user 2', ['2a', '2b']],
  ])('is filtered by them: %s', async (text, keys) => {
    expect(await found(text)).toEqual(keys);
  });

  it('is ordered by them, and its order ends with them', async () => {
    expect(await found('sort=team:desc&sort=user:desc&limit=3')).toEqual(['4b', '3b', '2b']);
    expect(await found('sort=role:asc')).toEqual(['3a', '3b', '4a', '4b', '1a', '1b', '2a', '2b']);
  });

  it.each(['', 'sort=role:desc', 'sort=team:asc&sort=user:desc'])(
    'has cursors: %s',
    async (sort) => {
      const all = await found(sort);
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const parsed = parseQuery(wireOf(`${sort}&limit=3`), MEMBERS);
        const options = { secret: 'of tests alone, and long enough', after };
        const query = members().buildKeyset(parsed, MEMBERS, options);
        const { where, cursorOf, ...found } = query;
        const page = { orderBy: found.orderBy, limit: found.limit };
        const rows = await em.fork().find(MemberEntity, where, page);
        seen.push(...(rows as Member[]).map(keyOf));
        after = rows.length < 3 ? undefined : cursorOf(rows.at(-1) as Member);
      } while (after !== undefined);
      expect(seen).toEqual(all);
    },
  );

  it('may have a key that is the key of a related key', async () => {
    const config: MikroOrmQueryConfig = { filterable: ['profile', 'text'], sortable: ['text'] };
    const adapter = mikroOrmAdapter<Note>(em.fork().getRepository<Note>(NoteEntity));
    const { where, ...page } = adapter.build(
      parseQuery(wireOf('filter=profile:gte:3'), config),
      config,
    );
    const rows = await em.fork().find(NoteEntity, where, page as never);
    expect(rows.map(({ profile }) => profile.user.id)).toEqual([3, 4]);
    const options = { secret: 'of tests alone, and long enough', lookAhead: false };
    const parsed = parseQuery(wireOf('limit=2'), config);
    const first = adapter.buildKeyset(parsed, config, options);
    const page1 = { orderBy: first.orderBy, limit: first.limit } as never;
    const notes = await em.fork().find(NoteEntity, first.where, page1);
    const after = first.cursorOf(notes.at(-1) as never);
    const second = adapter.buildKeyset(parsed, config, { ...options, after });
    const page2 = { orderBy: second.orderBy, limit: second.limit } as never;
    const rest = await em.fork().find(NoteEntity, second.where, page2);
    expect(rest.map(({ profile }) => profile.user.id)).toEqual([3, 4]);
  });
});
