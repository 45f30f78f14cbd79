import type { McpCallRecord } from '@fledge/mcp';
import { Tenancy } from '@fledge/tenant';
import { Injectable } from '@nestjs/common';
import { desc } from 'drizzle-orm';
import { Database } from '../database/database.js';
import { agentCalls } from '../database/schema.js';
import type { User } from '../users/user.js';

const COLUMNS = {
  id: agentCalls.id,
  at: agentCalls.at,
  user: agentCalls.userId,
  tool: agentCalls.tool,
  client: agentCalls.client,
  arguments: agentCalls.arguments,
  outcome: agentCalls.outcome,
  status: agentCalls.status,
  error: agentCalls.error,
  durationMs: agentCalls.durationMs,
};

/** A call as its company sees it. */
export type AgentCall = Omit<typeof agentCalls.$inferSelect, 'tenantId' | 'userId'> & {
  /** Id of the user who made it. */
  readonly user: string | null;
};

/** The audit trail of the current company: what AI agents did for it. */
@Injectable()
export class AgentCallsService {
  constructor(
    private readonly database: Database,
    private readonly tenancy: Tenancy,
  ) {}

  /**
   * Stores a call for its company. Calls without one are not stored.
   * @param user the user of the token that came with the call
   */
  async store(record: McpCallRecord, user: User | undefined): Promise<void> {
    const { tenant, name, client, error, arguments: args = null } = record;
    if (tenant === undefined || name === undefined || isUnproven(record)) return;
    const { id, at, outcome, status = null, durationMs } = record;
    await this.tenancy.run(tenant.id, () =>
      this.database.inTenant((tx) =>
        tx.insert(agentCalls).values({
          id,
          at,
          userId: user?.id ?? null,
          tool: name,
          client: client ? `${client.name} ${client.version}` : null,
          arguments: args,
          outcome,
          status,
          error: error?.text ?? null,
          durationMs,
        }),
      ),
    );
  }

  /** The latest calls, newest first. */
  latest(limit: number): Promise<AgentCall[]> {
    return this.database.inTenant((tx) =>
      tx.select(COLUMNS).from(agentCalls).orderBy(desc(agentCalls.at)).limit(limit),
    );
  }
}

/** True if the caller named a company without a token of it. Strangers could fill its trail. */
function isUnproven({ status }: McpCallRecord): boolean {
  return status === 401 || status === 403;
}
