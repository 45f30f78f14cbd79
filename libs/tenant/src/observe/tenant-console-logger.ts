import { ConsoleLogger } from '@nestjs/common';
import { tenantLogFields } from './tenant-log-fields.js';

/**
 * Nest's console logger with the tenant in each line: `[acme]` before the context, `tenantId` in JSON.
 * An impersonation adds the support person: `[acme by sam@support]`, `impersonatedBy` in JSON.
 * `NestFactory.create(AppModule, { logger: new TenantConsoleLogger({ json: true }) })`.
 */
export class TenantConsoleLogger extends ConsoleLogger {
  protected override getJsonLogObject(
    ...args: Parameters<ConsoleLogger['getJsonLogObject']>
  ): ReturnType<ConsoleLogger['getJsonLogObject']> {
    return { ...super.getJsonLogObject(...args), ...tenantLogFields() };
  }

  protected override formatContext(context: string): string {
    const { tenantId, impersonatedBy } = tenantLogFields();
    const formatted = super.formatContext(context);
    const by = impersonatedBy === undefined ? [] : [`by ${impersonatedBy}`];
    const facts = [tenantId ?? [], by].flat().join(' ');
    return facts === '' ? formatted : `${this.colorize(`[${facts}] `, 'log')}${formatted}`;
  }
}
