import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { ClsServiceManager } from 'nestjs-cls';
import { TenantDirectory } from '../directory/tenant-directory.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import { TenantResources } from './tenant-resources.js';

/** Removes cached data of changed tenants, in all processes. */
@Injectable()
export class Invalidation implements OnModuleInit, OnApplicationShutdown {
  private isStarted = false;

  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly directory: TenantDirectory,
    private readonly resources: TenantResources,
  ) {}

  /**
   * Runs before instances are created at startup. Otherwise, the first message could remove these
   * instances.
   */
  async onModuleInit(): Promise<void> {
    this.isStarted = true;
    await this.options.invalidations?.start({
      changed: (tenantId) => apart(() => this.drop(tenantId)),
      missed: () => apart(() => this.dropAll()),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    // NestJS calls this hook also if the application was never initialized.
    if (this.isStarted) await this.options.invalidations?.stop();
  }

  invalidate(tenantId: string): void {
    this.drop(tenantId);
    this.options.invalidations?.send(tenantId);
  }

  private drop(tenantId: string): void {
    this.directory.invalidate(tenantId);
    this.resources.invalidate(tenantId);
  }

  private dropAll(): void {
    this.directory.invalidateAll();
    this.resources.invalidateAll();
  }
}

const logger = new Logger('TenantInvalidations');
const cls = ClsServiceManager.getClsService();

/** The connection may call this in the context of the request that opened the connection. */
function apart(run: () => void): void {
  try {
    cls.exit(run);
  } catch (error) {
    logger.error(error);
  }
}
