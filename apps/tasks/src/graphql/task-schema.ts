/**
 * The GraphQL schema of the tasks that the routes serve. The DTOs of the routes validate its
 * inputs.
 */
export const TASK_SCHEMA = /* GraphQL */ `
  scalar DateTime

  enum TaskStatus {
    open
    in_progress
    done
  }

  enum TaskPriority {
    low
    normal
    high
    urgent
  }

  type User {
    id: ID!
    name: String!
    email: String!
  }

  type Task {
    id: Int!
    title: String!
    status: TaskStatus!
    priority: TaskPriority!
    "Such as 2026-03-31."
    dueDate: String
    assignee: User
    "Id of the user."
    createdBy: ID!
    createdAt: DateTime!
    updatedAt: DateTime!
    "Set exactly while the status is done."
    completedAt: DateTime
  }

  type PageMeta {
    page: Int!
    limit: Int!
    total: Int!
    totalPages: Int!
    hasNext: Boolean!
    hasPrev: Boolean!
  }

  type TaskPage {
    data: [Task!]!
    meta: PageMeta!
  }

  input CreateTask {
    title: String!
    status: TaskStatus
    priority: TaskPriority
    dueDate: String
    "Id or e-mail address of a user."
    assignee: String
  }

  input UpdateTask {
    title: String
    status: TaskStatus
    priority: TaskPriority
    dueDate: String
    assignee: String
  }

  enum TaskChangeKind {
    created
    updated
    deleted
  }

  type TaskChange {
    kind: TaskChangeKind!
    id: Int!
    "The task after the change; null if it was deleted."
    task: Task
  }

  type Query {
    "One page. The arguments are written as in the query string of GET /tasks."
    tasks(filter: [String!], sort: [String!], page: Int, limit: Int, q: String): TaskPage!
    task(id: Int!): Task!
  }

  type Mutation {
    createTask(input: CreateTask!): Task!
    updateTask(id: Int!, input: UpdateTask!): Task!
    completeTask(id: Int!): Task!
    deleteTask(id: Int!): Boolean!
  }

  type Subscription {
    "Changes to the tasks of your company."
    taskChanged: TaskChange!
  }
`;
