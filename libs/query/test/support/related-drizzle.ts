import * as mysql from 'drizzle-orm/mysql-core';
import * as pg from 'drizzle-orm/pg-core';
import * as sqlite from 'drizzle-orm/sqlite-core';
import type { DrizzleQueryConfig } from '../../src/drizzle/index.js';
import { relations as relate } from './drizzle-relations.js';
import type { RelatedPlace } from './related-tables.js';

// The builders of all dialects have these forms, but their types are unrelated.
const BUILDERS = {
  postgres: { table: pg.pgTable, text: pg.text, integer: pg.integer },
  mariadb: {
    table: mysql.mysqlTable,
    text: () => mysql.varchar({ length: 100 }),
    integer: mysql.int,
  },
  sqlite: { table: sqlite.sqliteTable, text: sqlite.text, integer: sqlite.integer },
} as unknown as Record<
  RelatedPlace['dialect'],
  {
    readonly table: typeof pg.pgTable;
    readonly text: () => ReturnType<typeof pg.text>;
    readonly integer: (name?: string) => ReturnType<typeof pg.integer>;
  }
>;

/** The tables of `RELATED` for Drizzle, and their config. Properties differ from the names of their columns. */
export function drizzleRelated({ dialect, named }: RelatedPlace) {
  const { table, text, integer } = BUILDERS[dialect];
  const id = () => integer().primaryKey();
  const teams = table(named('teams'), { id: id(), name: text() });
  const people = table(named('people'), {
    id: id(),
    name: text(),
    age: integer(),
    teamId: integer('team_id'),
  });
  const skills = table(named('skills'), { id: id(), name: text(), personId: integer('person_id') });
  const tasks = table(named('tasks'), {
    id: id(),
    title: text(),
    rank: integer(),
    ownerId: integer('owner_id'),
  });
  const tags = table(named('tags'), { id: id(), name: text(), weight: integer() });
  const taskTags = table(named('task_tags'), {
    id: id(),
    taskId: integer('task_id'),
    tagId: integer('tag_id'),
  });
  const comments = table(named('comments'), {
    id: id(),
    body: text(),
    taskId: integer('task_id'),
    authorId: integer('author_id'),
  });
  const marks = table(named('marks'), { id: id(), name: text(), commentId: integer('comment_id') });
  const own = { id: tasks.id, title: tasks.title, rank: tasks.rank };
  const config = {
    columns: {
      ...own,
      'owner.name': people.name,
      'owner.age': people.age,
      'owner.id': people.id,
      'owner.team.name': teams.name,
      'tags.name': tags.name,
      'tags.weight': tags.weight,
      label: { column: tags.name, relation: 'tags' },
      'comments.body': comments.body,
      'comments.author.name': people.name,
      'comments.author.team.name': teams.name,
      'comments.marks.name': marks.name,
      'owner.skills.name': skills.name,
    },
    sortable: own,
    searchColumns: [
      tasks.title,
      { column: people.name, relation: 'owner' },
      { column: tags.name, relation: 'tags' },
      { column: people.name, relation: 'comments.author' },
    ],
    relations: {
      owner: { table: people, on: { id: tasks.ownerId } },
      'owner.team': { table: teams, on: { id: people.teamId } },
      'owner.skills': { many: true, table: skills, on: { personId: people.id } },
      tags: {
        many: true,
        table: tags,
        on: { id: taskTags.tagId },
        through: { table: taskTags, on: { taskId: tasks.id } },
      },
      comments: { many: true, table: comments, on: { taskId: tasks.id } },
      'comments.author': { table: people, on: { id: comments.authorId } },
      'comments.author.team': { table: teams, on: { id: people.teamId } },
      'comments.marks': { many: true, table: marks, on: { commentId: comments.id } },
    },
  } satisfies DrizzleQueryConfig;
  const tasksToOwner = relate(tasks, ({ one }) => ({
    owner: one(people, { fields: [tasks.ownerId], references: [people.id] }),
  }));
  return { tasks, people, config, schema: { tasks, people, tasksToOwner } };
}

/** Tables named as their properties, for `casing`. */
export const CASED = {
  users: pg.pgTable('users', { userId: pg.integer().primaryKey(), fullName: pg.text() }),
  todos: pg.pgTable('todos', { id: pg.integer().primaryKey(), ownerId: pg.integer() }),
};
