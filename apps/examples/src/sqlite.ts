// A list endpoint over a SQLite file: filter, sort, page and search, over HTTP and as a tool.
import 'reflect-metadata';
import { Controller, Get, Inject, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, McpTool } from '@fledge/mcp';
import type { ParsedQuery } from '@fledge/query';
import { drizzleAdapter, type DrizzleQueryConfig } from '@fledge/query/drizzle';
import { Paginate, type Paginator, Qs } from '@fledge/query/nest';
import Database from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

const books = sqliteTable('books', {
  id: integer().primaryKey(),
  title: text().notNull(),
  year: integer().notNull(),
});
const BOOKS = {
  columns: { id: books.id, title: books.title, year: books.year },
  searchColumns: [books.title],
} satisfies DrizzleQueryConfig;

/** Opens the file, and fills it the first time. */
function openDatabase(): BetterSQLite3Database {
  const file = new Database(process.env['BOOKS_FILE'] ?? 'books.db');
  file.exec('create table if not exists books (id integer primary key, title text, year integer)');
  const db = drizzle(file);
  if (db.select().from(books).all().length === 0) {
    db.insert(books)
      .values([
        { title: 'Mathematical Principles', year: 1687 },
        { title: 'On the Origin of Species', year: 1859 },
        { title: 'Silent Spring', year: 1962 },
      ])
      .run();
  }
  return db;
}

const DB = Symbol('DB');

@Controller('books')
class BooksController {
  constructor(@Inject(DB) private readonly db: BetterSQLite3Database) {}

  @Get()
  @McpTool({ name: 'books_list', description: 'Lists books, with filters, order and pages' })
  async list(
    @Qs(BOOKS, { onInvalid: 'throw' }) query: ParsedQuery<typeof BOOKS>,
    @Paginate() paginate: Paginator,
  ) {
    const { where, orderBy, limit, offset } = drizzleAdapter.build(query, BOOKS);
    const page = this.db.select().from(books).where(where);
    return paginate({
      data: page
        .orderBy(...orderBy)
        .limit(limit)
        .offset(offset)
        .all(),
      total: await this.db.$count(books, where),
    });
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'books', sessions: { max: 10 } })],
  controllers: [BooksController],
  providers: [{ provide: DB, useFactory: openDatabase }],
})
class AppModule {}

const app = await NestFactory.create(AppModule);
await app.listen(process.env['PORT'] ?? 3000);
