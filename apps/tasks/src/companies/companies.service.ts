import type { TenantRecord, TenantStore } from '@fledge/tenant';
import { Injectable } from '@nestjs/common';
import { eq } from 'drizzle-orm';
import { Database } from '../database/database.js';
import { companies } from '../database/schema.js';
import type { Company } from './company.js';

/** The companies, which are the tenants of the application. */
@Injectable()
export class CompaniesService implements TenantStore {
  constructor(private readonly database: Database) {}

  async find(id: string): Promise<TenantRecord | undefined> {
    const [company] = await this.database.central
      .select()
      .from(companies)
      .where(eq(companies.id, id));
    return company && recordOf(company);
  }

  async list(): Promise<TenantRecord[]> {
    return (await this.all()).map(recordOf);
  }

  all(): Promise<Company[]> {
    return this.database.central.select().from(companies).orderBy(companies.id);
  }

  async save({ tenantId: id, status = 'active', data }: TenantRecord): Promise<void> {
    // `fledge tenant create initech` passes no name.
    const { name = id } = (data ?? {}) as Partial<Company>;
    await this.database.central
      .insert(companies)
      .values({ id, name, status })
      .onConflictDoUpdate({ target: companies.id, set: { name, status } });
  }

  /** Removes a company with its users, tokens, tasks and audit trail. */
  async remove(id: string): Promise<void> {
    await this.database.central.delete(companies).where(eq(companies.id, id));
  }
}

function recordOf({ id, name, status }: Company): TenantRecord {
  return { tenantId: id, status, data: { name } };
}
