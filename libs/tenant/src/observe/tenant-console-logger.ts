import { ConsoleLogger } from '@nestjs/common';
import { tenantLogFields } from './tenant-log-fields.js';

/**
 * Nest's console logger with the tenant in each line: `[acme]` before the context, `tenantId` in JSON.
 * `NestFactory.create(AppModule, { logger: new TenantConsoleLogger({ json: true }) })`.
 */
export class TenantConsoleLogger extends ConsoleLogger {
  protected override getJsonLogObject(
    ...args: Parameters<ConsoleLogger['getJsonLogObject']>
  ): ReturnType<ConsoleLogger['getJsonLogObject']> {
    return { ...super.getJsonLogObject(...args), ...tenantLogFields() };
  }

  protected override formatContext(context: string): string {
    const { tenantId } = tenantLogFields();
    const formatted = super.formatContext(context);
    return tenantId === undefined
      ? formatted
      : `${this.colorize(`[${tenantId}] `, 'log')}${formatted}`;
  }
}
