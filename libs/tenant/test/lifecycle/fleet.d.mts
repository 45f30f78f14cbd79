import type { Type } from '@nestjs/common';
import type { TenantLifecycleOptions } from '@fledge/tenant/lifecycle';
import type { Client } from 'pg';

export interface FleetOptions {
  readonly url: string;
  readonly model?: 'schema' | 'database';
  readonly names?: readonly string[];
  readonly ledgerUrl?: string;
  readonly central?: boolean;
  readonly onePool?: boolean;
}

export interface Fleet {
  readonly AppModule: Type;
  readonly lifecycle: TenantLifecycleOptions;
  ask(sql: string, params?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  connected<R>(tenant: string, work: (client: Client) => Promise<R>): Promise<R>;
  close(): Promise<unknown>;
}

export function fleetOf(options: FleetOptions): Fleet;
