import type { RelatedQueryConfig } from '../../src/resolve/declared-columns.js';

/** Tables by name, of rows as lists of columns: the first column is the primary key, `names` are texts, others numbers. */
export const RELATED_TABLES = {
  teams: { names: ['name'], numbers: [] },
  people: { names: ['name'], numbers: ['age', 'team_id'] },
  skills: { names: ['name'], numbers: ['person_id'] },
  tasks: { names: ['title'], numbers: ['rank', 'owner_id'] },
  tags: { names: ['name'], numbers: ['weight'] },
  task_tags: { names: [], numbers: ['task_id', 'tag_id'] },
  comments: { names: ['body'], numbers: ['task_id', 'author_id'] },
  marks: { names: ['name'], numbers: ['comment_id'] },
} as const;

export type TableName = keyof typeof RELATED_TABLES;
export interface Row {
  readonly id: number;
  readonly [column: string]: string | number | null;
}

const NAMES = ['ann', 'Bob', 'cy%', 'd_e', '', null] as const;

function rowsOf(count: number, make: (i: number) => object): Row[] {
  return Array.from({ length: count }, (_, i) => ({ id: i + 1, ...make(i) }));
}

/** The rows of each table, by arithmetic: owners, texts and numbers that are NULL, lists that are empty. */
export const RELATED: Readonly<Record<TableName, readonly Row[]>> = {
  teams: rowsOf(3, (i) => ({ name: ['red', 'Blue', null][i] })),
  people: rowsOf(8, (i) => ({
    name: NAMES[i % 6],
    age: i % 5 === 0 ? null : 20 + ((i * 7) % 5),
    team_id: i % 4 === 0 ? null : (i % 3) + 1,
  })),
  skills: rowsOf(9, (i) => ({ name: NAMES[(i * 5) % 6], person_id: (i * 3) % 7 || null })),
  tasks: rowsOf(40, (i) => ({
    title: i % 6 === 0 ? null : `Task ${(i * 7) % 5}`,
    rank: i % 7 === 0 ? null : (i * 11) % 6,
    owner_id: i % 5 === 0 ? null : ((i * 3) % 8) + 1,
  })),
  tags: rowsOf(6, (i) => ({ name: NAMES[i], weight: i % 4 === 1 ? null : i % 3 })),
  task_tags: rowsOf(60, (i) => ({
    task_id: ((i * 7) % 31) + 1,
    tag_id: ((((i * 7) % 31) * 5 + Math.floor(i / 31) * 2) % 6) + 1,
  })),
  comments: rowsOf(45, (i) => ({
    body: i % 8 === 3 ? null : `note ${(i * 5) % 4}%`,
    task_id: i % 11 === 0 ? null : ((i * 13) % 35) + 1,
    author_id: i % 6 === 1 ? null : ((i * 5) % 8) + 1,
  })),
  marks: rowsOf(20, (i) => ({ name: NAMES[(i * 7) % 6], comment_id: ((i * 9) % 33) + 1 })),
};

/** The tasks with their related rows, as an ORM returns them. */
export const RELATED_TASKS: readonly (Row & object)[] = RELATED.tasks.map(
  (task) =>
    ({
      ...task,
      owner: personOf(task['owner_id']),
      tags: RELATED.task_tags
        .filter(({ task_id }) => task_id === task.id)
        .map(({ tag_id }) => RELATED.tags.find(({ id }) => id === tag_id)),
      comments: RELATED.comments
        .filter(({ task_id }) => task_id === task.id)
        .map((comment) => ({
          ...comment,
          author: personOf(comment['author_id']),
          marks: RELATED.marks.filter(({ comment_id }) => comment_id === comment.id),
        })),
    }) as unknown as Row,
);

function personOf(id: unknown): object | null {
  const person = RELATED.people.find((row) => row.id === id);
  if (person === undefined) return null;
  return {
    ...person,
    team: RELATED.teams.find((row) => row.id === person['team_id']) ?? null,
    skills: RELATED.skills.filter(({ person_id }) => person_id === person.id),
  };
}

const OWN = {
  id: { type: 'integer', nullable: false },
  title: 'string',
  rank: 'integer',
} as const;
const TO_ONE = {
  'owner.name': 'string',
  'owner.age': 'integer',
  'owner.id': { type: 'integer', nullable: false },
  'owner.team.name': 'string',
} as const;
const TO_MANY = {
  'tags.name': 'string',
  'tags.weight': 'integer',
  label: { type: 'string', relation: 'tags', name: 'name' },
  'comments.body': 'string',
  'comments.author.name': 'string',
  'comments.author.team.name': 'string',
  'comments.marks.name': 'string',
  'owner.skills.name': 'string',
} as const;

/** Fields through each kind of relation and pair of them, for adapters with declared columns. */
export const RELATED_CONFIG = {
  columns: { ...OWN, ...TO_ONE, ...TO_MANY },
  sortable: { ...OWN, ...TO_ONE },
  searchColumns: ['title', 'owner.name', 'tags.name', 'comments.author.name'],
  primaryKey: 'id',
  relations: {
    owner: {},
    'owner.team': {},
    'owner.skills': { many: true },
    tags: { many: true },
    comments: { many: true },
    'comments.author': {},
    'comments.author.team': {},
    'comments.marks': { many: true },
  },
} as const satisfies RelatedQueryConfig;

/** The same fields for adapters that read relations from an entity, by their paths. */
export function relatedPaths(nameOf = (path: string) => path) {
  const { label, ...columns } = RELATED_CONFIG.columns;
  const pathsOf = (fields: object) =>
    Object.fromEntries(Object.keys(fields).map((path) => [path, nameOf(path)]));
  return {
    columns: { ...pathsOf(columns), label: label.relation + '.name' },
    sortable: pathsOf(RELATED_CONFIG.sortable),
    searchColumns: RELATED_CONFIG.searchColumns,
  };
}

export type RelatedField = keyof typeof RELATED_CONFIG.columns;

/** Values that fields are compared with. */
export const RELATED_VALUES: Readonly<Record<RelatedField, readonly string[]>> = {
  id: ['1', '7', '30'],
  title: ['Task 1', 'Task 3', 'x'],
  rank: ['0', '2', '5'],
  'owner.name': ['ann', 'Bob', 'cy%', 'x'],
  'owner.age': ['20', '22', '24'],
  'owner.id': ['2', '5', '9'],
  'owner.team.name': ['red', 'Blue', 'x'],
  'tags.name': ['ann', 'Bob', 'd_e', 'x'],
  'tags.weight': ['0', '1', '2'],
  label: ['ann', 'cy%'],
  'comments.body': ['note 1%', 'note 2%', 'x'],
  'comments.author.name': ['ann', 'Bob', 'x'],
  'comments.author.team.name': ['red', 'Blue'],
  'comments.marks.name': ['ann', 'd_e', 'x'],
  'owner.skills.name': ['ann', 'Bob', 'x'],
};
