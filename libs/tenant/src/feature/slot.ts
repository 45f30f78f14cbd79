import { Logger } from '@nestjs/common';
import { ClsServiceManager } from 'nestjs-cls';
import { enterScope } from '../scope/tenant-scope.js';
import type { TenantContext } from '../tenant-context.js';
import { TenantOptionError } from '../tenant.errors.js';
import type { TenantPoolOptions } from './tenant-provider.js';

/** The place of one tenant's instance in a pool. */
export class Slot<T extends object> {
  /** How many scopes use the instance. */
  holders = 0;
  /** Not for new scopes: disposed of once nobody holds it. */
  retired = false;
  /** Disposed of, or never made. */
  gone = false;
  /** Undefined while it is made. */
  value: T | undefined;
  /** Where making it takes time: rejects with what the factory rejects with. */
  readonly making: Promise<void> | undefined;

  /** @throws what the factory throws */
  constructor(
    readonly tenant: TenantContext,
    private readonly options: TenantPoolOptions<T>,
  ) {
    const made = outsideRequest(tenant, () => options.create(tenant));
    if (isThenable(made)) this.making = this.await(made);
    else this.value = this.checked(made);
  }

  /** Ends the instance, once it is there. What goes wrong is logged: nobody waits for the instance any more. */
  async dispose(): Promise<void> {
    this.gone = true;
    if (this.value === undefined) await this.making?.catch(() => undefined);
    const { value, tenant, options } = this;
    if (value === undefined) return;
    try {
      await outsideRequest(tenant, () => options.dispose(value, tenant));
    } catch (error) {
      logger.error(`Disposing of ${options.name} of tenant "${tenant.tenantId}" failed:`);
      logger.error(error);
    }
  }

  private async await(made: PromiseLike<T>): Promise<void> {
    this.value = this.checked(await made);
  }

  /** @throws TenantOptionError for what the provider's token could not stand for */
  private checked(made: T): T {
    const { name, type } = this.options;
    // Applications in JavaScript may return anything.
    const actual = made === null ? 'null' : typeof made;
    if (actual === type) return made;
    throw new TenantOptionError(
      `The factory of ${name} returned ${actual === 'undefined' ? 'nothing' : actual}, but ${type} ` +
        `is its type. ${actual === 'function' ? `Say type: 'function'.` : 'Return an object.'}`,
    );
  }
}

const logger = new Logger('TenantPool');
const cls = ClsServiceManager.getClsService();

/** For a tenant, but apart from the request it happens in, which what is made would keep alive. */
function outsideRequest<R>(tenant: TenantContext, run: () => R): R {
  return cls.exit(() => enterScope({ kind: 'tenant', tenant }, run));
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | null | undefined)?.then === 'function';
}
