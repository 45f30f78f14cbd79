import type { McpCallRecord } from '@fledge/mcp';
import type { CursorRows, KeysetOptions } from '@fledge/query';
import { drizzleAdapter } from '@fledge/query/drizzle';
import { Tenancy } from '@fledge/tenant';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { agentCalls } from '../database/schema.js';
import type { User } from '../users/user.js';
import { AGENT_CALL_QUERY, type AgentCallQuery } from './agent-call-query.js';

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

/** A call as shown to its company. */
export type AgentCall = Omit<typeof agentCalls.$inferSelect, 'tenantId' | 'userId'> & {
  /** Id of the user who made the call. */
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
   * Stores a call for its company. Calls without a company are not stored.
   * @param user the user to whom the token of the call belongs
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

  /**
   * Returns one page of calls, the newest first unless the caller sorts. Uses cursors, because
   * calls are added all the time.
   */
  async list(query: AgentCallQuery, cursor: KeysetOptions): Promise<CursorRows<AgentCall>> {
    const { where, orderBy, limit, cursorOf } = drizzleAdapter.buildKeyset(
      query,
      AGENT_CALL_QUERY,
      cursor,
    );
    const data = await this.database.inTenant((tx) =>
      tx
        .select(COLUMNS)
        .from(agentCalls)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
    );
    return { data, cursorOf };
  }
}

/**
 * Returns true if the caller had no valid token for the company. Otherwise, strangers could fill
 * the company's audit trail.
 */
function isUnproven({ status }: McpCallRecord): boolean {
  return status === 401 || status === 403;
}
