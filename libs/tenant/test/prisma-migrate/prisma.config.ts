// The engine in JavaScript gets its connection here. The engine that Prisma downloads takes schema and URL itself.
import { PrismaPg } from '@prisma/adapter-pg';
import { escapeIdentifier } from 'pg';
import { defineConfig } from 'prisma/config';

const connectionString = process.env['DATABASE_URL'] as string;
const schema = new URL(connectionString).searchParams.get('schema') ?? 'public';
const options = `-c search_path=${escapeIdentifier(schema).replace(/[\\ ]/g, '\\$&')}`;

// The engine leaves the timer of its lock behind, for which the command would wait for 10 seconds at its end.
const { setTimeout } = globalThis;
globalThis.setTimeout = ((...args: Parameters<typeof setTimeout>) => {
  const timer = setTimeout(...args);
  return args[1] === 10_000 ? timer.unref() : timer;
}) as typeof setTimeout;

export default defineConfig({
  schema: 'prisma/schema.prisma',
  experimental: { adapter: true },
  engine: 'js',
  // Version 6 of the adapter cannot read PostgreSQL's type `name`: prisma/orm#27403.
  adapter: () =>
    Promise.resolve(
      new PrismaPg({ connectionString, options, allowExitOnIdle: true }, { schema }) as never,
    ),
});
