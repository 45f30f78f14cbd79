import type { TenantRecord, TenantStore } from '@fledge/tenant';
import { Injectable } from '@nestjs/common';
import { eq } from 'drizzle-orm';
import { Database } from '../database/database.js';
import { companies } from '../database/schema.js';

/** The tenants of the application. */
@Injectable()
export class CompaniesService implements TenantStore {
  constructor(private readonly database: Database) {}

  async find(id: string): Promise<TenantRecord | undefined> {
    const [company] = await this.database.central
      .select()
      .from(companies)
      .where(eq(companies.id, id));
    return company && { tenantId: company.id };
  }

  async list(): Promise<TenantRecord[]> {
    const all = await this.database.central.select().from(companies).orderBy(companies.id);
    return all.map(({ id }) => ({ tenantId: id }));
  }
}
