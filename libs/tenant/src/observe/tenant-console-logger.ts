import { ConsoleLogger } from '@nestjs/common';
import type { TenantAttributes } from '../tenant-attributes.js';
import { currentAttributes, currentTenant } from '../scope/tenant-scope.js';

/**
 * Nest's console logger. Each line contains the current tenant. The logger writes `[acme]` before
 * the context, or `tenantId` in JSON. During an impersonation, the logger also writes the support
 * person: `[acme by sam@support]`, or `impersonatedBy` in JSON.
 * `NestFactory.create(AppModule, { logger: new TenantConsoleLogger({ json: true }) })`. JSON requires
 * NestJS 11.1.4: earlier versions write the lines without the tenant.
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
    const by = impersonatedBy === undefined ? [] : `by ${impersonatedBy}`;
    const facts = [tenantId ?? [], by].flat().join(' ');
    return facts === '' ? formatted : `${this.colorize(`[${facts}] `, 'log')}${formatted}`;
  }
}

/**
 * Returns the current tenant as log fields, or `{}`. During an impersonation, the fields also
 * contain the support person. Never throws, so any logger can call this function:
 * `pino({ mixin: tenantLogFields })`.
 */
export function tenantLogFields(): { tenantId?: string } & TenantAttributes {
  const tenant = currentTenant();
  return { ...(tenant !== undefined && { tenantId: tenant.tenantId }), ...currentAttributes() };
}
