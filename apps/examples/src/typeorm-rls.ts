// PostgreSQL shows each request the rows of its tenant: no query here has a "where".
import 'reflect-metadata';
import { ClsPluginTransactional, Transactional, TransactionHost } from '@nestjs-cls/transactional';
import { TransactionalAdapterTypeOrm } from '@nestjs-cls/transactional-adapter-typeorm';
import { Body, Controller, Get, Injectable, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TenantModule } from '@fledge/tenant';
import { rlsSql, tenantAware, TenantRlsModule, typeormQuery } from '@fledge/tenant/rls';
import { ClsModule } from 'nestjs-cls';
import { Column, DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity()
class Note {
  @PrimaryGeneratedColumn() id!: number;
  @Column('text') text!: string;
}

/** The migration. The owner of the table runs it; the application connects as a role that owns nothing. */
async function migrate(): Promise<void> {
  const owner = new DataSource({ type: 'postgres', url: process.env['OWNER_URL'] ?? '' });
  await owner.initialize();
  await owner.query('create table if not exists note (id serial, text text, tenant_id text)');
  await owner.query(`grant usage on sequence note_id_seq to "${ROLE}"`);
  await owner.query(rlsSql(['note'], { columnDefault: 'tenant', grantTo: ROLE }));
  await owner.destroy();
}

const url = process.env['DATABASE_URL'] ?? 'postgres://app@localhost/app';
const ROLE = new URL(url).username;

@Module({
  providers: [
    {
      provide: DataSource,
      useFactory: () => new DataSource({ type: 'postgres', url, entities: [Note] }).initialize(),
    },
  ],
  exports: [DataSource],
})
class DbModule {}

const adapter = new TransactionalAdapterTypeOrm({ dataSourceToken: DataSource });

@Injectable()
class Notes {
  constructor(private readonly host: TransactionHost<TransactionalAdapterTypeOrm>) {}

  @Transactional()
  list(): Promise<Note[]> {
    return this.host.tx.getRepository(Note).find({ order: { id: 'asc' } });
  }

  @Transactional()
  add(text: string): Promise<Note> {
    return this.host.tx.getRepository(Note).save({ text });
  }
}

@Controller('notes')
class NotesController {
  constructor(private readonly notes: Notes) {}

  @Get()
  list(): Promise<Note[]> {
    return this.notes.list();
  }

  @Post()
  add(@Body('text') text: string): Promise<Note> {
    return this.notes.add(text);
  }
}

@Module({
  imports: [
    ClsModule.forRoot({
      global: true,
      middleware: { mount: true },
      plugins: [
        new ClsPluginTransactional({
          imports: [DbModule],
          adapter: tenantAware(adapter, typeormQuery),
        }),
      ],
    }),
    TenantModule.forRoot({ strategy: 'header' }),
    // Stops the boot if a tenant could read rows of another one.
    TenantRlsModule.forRootAsync({
      imports: [DbModule],
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => ({ query: typeormQuery(dataSource) }),
    }),
  ],
  controllers: [NotesController],
  providers: [Notes],
})
class AppModule {}

await migrate();
const app = await NestFactory.create(AppModule);
await app.listen(process.env['PORT'] ?? 3000);
