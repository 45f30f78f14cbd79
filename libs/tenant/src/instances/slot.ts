import { Logger } from '@nestjs/common';
import { ClsServiceManager } from 'nestjs-cls';
import type { Seat } from './budget/seat.js';
import { startTimer } from './budget/waiting-line.js';
import { isThenable } from '../call-hook.js';
import type { Hold } from '../scope/tenant-resources.js';
import { enterScope } from '../scope/tenant-scope.js';
import type { TenantContext } from '../tenant-context.js';
import { TenantOptionError } from '../tenant.errors.js';
import type { TenantPoolOptions } from './tenant-provider.js';

export class Slot<T extends object> {
  /** Number of scopes that use the instance. */
  holders = 0;
  /** New scopes must not use the slot. It is disposed when the last scope has released it. */
  retired = false;
  /** True after `dispose()` was called. */
  gone = false;
  /** Undefined until the factory has finished. */
  value: T | undefined;
  /** The pending instance, if the factory is asynchronous. Rejects with the factory's error. */
  readonly making: Promise<void> | undefined;

  /**
   * @param seat the instance's share of the budget
   * @param leaveSeat is called when the instance's connections are closed
   * @throws any error of the factory
   */
  constructor(
    readonly tenant: TenantContext,
    private readonly options: TenantPoolOptions<T>,
    readonly seat?: Seat,
    private readonly leaveSeat: () => void = () => undefined,
  ) {
    const made = outsideRequest(tenant, () => options.create(tenant));
    if (isThenable(made)) this.making = this.await(made);
    else this.value = this.checked(made);
  }

  /**
   * Waits until the instance exists. Errors are logged, because no caller waits for them.
   * @param release is called when the instance does not use other instances anymore
   */
  async dispose(release: Hold): Promise<'disposed' | 'disposeFailed' | undefined> {
    this.gone = true;
    if (this.value === undefined) await this.making?.catch(() => undefined);
    const { value, tenant, options } = this;
    const leave = () => {
      release();
      this.leaveSeat();
    };
    const slow = value && startTimer(DISPOSE_GRACE_MS, () => this.leaveSlowly(leave));
    slow?.unref();
    try {
      if (value === undefined) return undefined;
      await outsideRequest(tenant, () => options.dispose(value, tenant));
      return 'disposed';
    } catch (error) {
      logger.error(`The instance ${options.name} of tenant "${tenant.tenantId}" was not disposed:`);
      logger.error(error);
      return 'disposeFailed';
    } finally {
      clearTimeout(slow);
      leave();
    }
  }

  /** An instance that hangs must not block other tenants and instances forever. */
  private leaveSlowly(leave: () => void): void {
    logger.warn(
      `The instance ${this.options.name} of tenant "${this.tenant.tenantId}" is not disposed ` +
        `after ${DISPOSE_GRACE_MS / 1_000} s. From now on, its connections do not count, and ` +
        `instances that it uses may be disposed. Set a timeout in \`dispose\`.`,
    );
    leave();
  }

  private async await(made: PromiseLike<T>): Promise<void> {
    this.value = this.checked(await made);
  }

  /** @throws TenantOptionError if the proxy cannot represent the instance */
  private checked(made: T): T {
    const { name, type } = this.options;
    // The instance can have any type if the application is written in JavaScript.
    const actual = made === null ? 'null' : typeof made;
    if (actual === type) return made;
    throw new TenantOptionError(
      `The factory of ${name} returned ${actual === 'undefined' ? 'nothing' : actual}, but the ` +
        `option \`type\` is '${type}'. ` +
        `${actual === 'function' ? `Set type: 'function'.` : 'Return an object.'}`,
    );
  }
}

/** Maximum time in milliseconds for which the budget and other instances wait for an instance. */
const DISPOSE_GRACE_MS = 10_000;
const logger = new Logger('TenantPool');
const cls = ClsServiceManager.getClsService();

/** Outside the request, because otherwise the instance would keep the request in memory. */
function outsideRequest<R>(tenant: TenantContext, run: () => R): R {
  return cls.exit(() => enterScope({ kind: 'tenant', tenant }, run));
}
