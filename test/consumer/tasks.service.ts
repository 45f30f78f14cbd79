import { RequestContext } from '@fledge/core';
import { McpCall } from '@fledge/mcp';
import type { ParsedQuery } from '@fledge/query';
import { memoryAdapter } from '@fledge/query/memory';
import { Tenancy, TENANT_CONTEXT, type TenantContext } from '@fledge/tenant';
import { Inject, Injectable } from '@nestjs/common';

/** What a list may be asked for. */
export const TASKS = { columns: { id: 'number', title: 'string' }, primaryKey: 'id' } as const;

@Injectable()
export class TasksService {
  private readonly rows = Array.from({ length: 30 }, (_, i) => ({
    id: i + 1,
    title: `No. ${i + 1}`,
  }));

  constructor(
    private readonly ctx: RequestContext,
    private readonly call: McpCall,
    private readonly tenancy: Tenancy,
    @Inject(TENANT_CONTEXT) private readonly tenant: TenantContext,
  ) {}

  find(query: ParsedQuery<typeof TASKS>) {
    return memoryAdapter.build(query, TASKS).apply(this.rows);
  }

  /** What each injected object knows of the request. */
  injected() {
    return {
      reader: this.ctx.get('reader')?.greeting(),
      tool: this.call.name,
      tenant: this.tenant.tenantId,
      running: this.tenancy.current().tenantId,
    };
  }
}
