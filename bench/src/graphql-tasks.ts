/** What resolvers return for `tasks`. */
export const GRAPHQL_TASKS = Array.from({ length: 50 }, (_, i) => ({
  id: `${i + 1}`,
  title: `Task ${i + 1}`,
  status: i % 3 === 0 ? 'done' : 'open',
  assignee: { id: `${i % 7}`, name: `User ${i % 7}` },
  tags: [{ name: 'home' }, { name: `tag-${i % 5}` }],
}));

/** Asks for all fields, in the order above: a response is then the JSON of `GRAPHQL_TASKS`. */
export const TASKS_QUERY = '{ tasks { id title status assignee { id name } tags { name } } }';
