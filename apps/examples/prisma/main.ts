// A list over a Prisma model and one of its relations: filter, sort, page and search, over HTTP and as a tool.
import 'reflect-metadata';
import { Controller, Get, Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, McpTool } from '@fledge/mcp';
import type { ParsedQuery } from '@fledge/query';
import { Paginate, type Paginator, Qs } from '@fledge/query/nest';
import { prismaAdapter, type PrismaQueryConfig } from '@fledge/query/prisma';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';

const BOOKS = {
  columns: {
    id: { type: 'integer', nullable: false },
    title: { type: 'string', nullable: false },
    year: { type: 'integer', nullable: false },
    author: { type: 'string', name: 'author.name', nullable: false },
  },
  searchColumns: ['title', 'author'],
  primaryKey: 'id',
  provider: 'postgresql',
} as const satisfies PrismaQueryConfig;

@Injectable()
class PrismaService extends PrismaClient implements OnModuleDestroy {
  constructor() {
    super({ adapter: new PrismaPg({ connectionString: process.env['DATABASE_URL'] }) });
  }

  onModuleDestroy() {
    return this.$disconnect();
  }
}

@Controller('books')
class BooksController {
  constructor(private readonly prisma: PrismaService) {}

  @Get()
  @McpTool({ name: 'books_list', description: 'Lists books, with filters, order and pages' })
  async list(
    @Qs(BOOKS, { onInvalid: 'throw' }) query: ParsedQuery<typeof BOOKS>,
    @Paginate() paginate: Paginator,
  ) {
    const { count, ...find } = prismaAdapter.build(query, BOOKS);
    const select = { title: true, year: true, author: { select: { name: true } } };
    const [data, total] = await Promise.all([
      this.prisma.book.findMany({ ...find, select }),
      this.prisma.book.count(count),
    ]);
    return paginate({ data, total });
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'books', sessions: { max: 10 } })],
  controllers: [BooksController],
  providers: [PrismaService],
})
class AppModule {}

const app = await NestFactory.create(AppModule);
app.enableShutdownHooks();
await app.listen(process.env['PORT'] ?? 3000);
