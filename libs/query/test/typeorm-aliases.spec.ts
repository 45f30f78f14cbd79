import { expect, it } from '@jest/globals';
import { parseQuery } from '@fledge/query';
import { typeOrmAdapter } from '@fledge/query/typeorm';
import { Column, DataSource, Entity, ManyToOne, PrimaryColumn } from 'typeorm';

@Entity()
class Contact {
  @PrimaryColumn('integer') id!: number;
  @Column('varchar', { nullable: true }) preferredLanguageOfLetters!: string | null;
  @Column('varchar', { nullable: true }) preferredLanguageOfInvoices!: string | null;
}

@Entity()
class Organization {
  @PrimaryColumn('integer') id!: number;
  @ManyToOne(() => Contact, { nullable: true }) contactOfAccounting!: Contact | null;
}

@Entity()
class Task {
  @PrimaryColumn('integer') id!: number;
  @ManyToOne(() => Organization, { nullable: true }) organization!: Organization | null;
}

/** PostgreSQL cuts longer names. Two equal names in ORDER BY are an error: ambiguous (42702). */
const MAX_BYTES = 63;

it('keeps the names of sort keys short enough for PostgreSQL', async () => {
  const entities = [Contact, Organization, Task];
  const source = new DataSource({ type: 'postgres', entities });
  await (source as unknown as { buildMetadatas(): Promise<void> }).buildMetadatas();
  const path = (name: string) => `organization.contactOfAccounting.preferredLanguageOf${name}`;
  const config = { filterable: [], sortable: [path('Letters'), path('Invoices')] };
  const sort = config.sortable.map((field) => `${field}:asc`);
  const tasks = source.getRepository(Task);
  const { applyTo } = typeOrmAdapter(tasks).build(parseQuery({ sort }, config), config);
  const order = Object.keys(applyTo(tasks.createQueryBuilder('task')).expressionMap.orderBys);
  const cut = new Set(order.map((name) => name.slice(0, MAX_BYTES)));
  expect([cut.size, cut.size]).toEqual([order.length, 5]);
});
