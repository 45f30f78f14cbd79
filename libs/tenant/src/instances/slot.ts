import { Logger } from '@nestjs/common';
import { ClsServiceManager } from 'nestjs-cls';
import type { Seat } from './budget/seat.js';
import { startTimer } from './budget/waiting-line.js';
import { enterScope } from '../scope/tenant-scope.js';
import type { TenantContext } from '../tenant-context.js';
import { TenantOptionError } from '../tenant.errors.js';
import type { TenantPoolOptions } from './tenant-provider.js';

/** The place of one tenant's instance in a pool. */
export class Slot<T extends object> {
  /** How many scopes use the instance. */
  holders = 0;
  /** New scopes do not get it. Disposed of when the last holder releases it. */
  retired = false;
  /** `dispose()` was called. */
  gone = false;
  /** The instance. Undefined until the factory has finished. */
  value: T | undefined;
  /** Set if the factory is asynchronous. Rejects with the factory's error. */
  readonly making: Promise<void> | undefined;

  /**
   * @param seat what the instance takes of the budget
   * @param leaveSeat called when its connections are closed
   * @throws what the factory throws
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

  /** Disposes of the instance as soon as it is made. Errors are logged, because no caller waits for them. */
  async dispose(): Promise<'disposed' | 'disposeFailed' | undefined> {
    this.gone = true;
    if (this.value === undefined) await this.making?.catch(() => undefined);
    const { value, tenant, options } = this;
    const slow = this.seat && value && startTimer(DISPOSE_GRACE_MS, () => this.leaveSlowly());
    slow?.unref();
    try {
      if (value === undefined) return undefined;
      await outsideRequest(tenant, () => options.dispose(value, tenant));
      return 'disposed';
    } catch (error) {
      logger.error(`Disposing of ${options.name} of tenant "${tenant.tenantId}" failed:`);
      logger.error(error);
      return 'disposeFailed';
    } finally {
      clearTimeout(slow);
      this.leaveSeat();
    }
  }

  /** So that an instance that hangs does not take connections from other tenants for ever. */
  private leaveSlowly(): void {
    logger.warn(
      `Disposing of ${this.options.name} of tenant "${this.tenant.tenantId}" takes more than ` +
        `${DISPOSE_GRACE_MS / 1_000} s. The budget no longer counts its connections.`,
    );
    this.leaveSeat();
  }

  private async await(made: PromiseLike<T>): Promise<void> {
    this.value = this.checked(await made);
  }

  /** @throws TenantOptionError if the proxy cannot stand for the instance */
  private checked(made: T): T {
    const { name, type } = this.options;
    // JavaScript callers may return anything.
    const actual = made === null ? 'null' : typeof made;
    if (actual === type) return made;
    throw new TenantOptionError(
      `The factory of ${name} returned ${actual === 'undefined' ? 'nothing' : actual}, but its type ` +
        `is '${type}'. ${actual === 'function' ? `Set type: 'function'.` : 'Return an object.'}`,
    );
  }
}

/** Milliseconds that the budget counts an instance that is being disposed of. */
const DISPOSE_GRACE_MS = 10_000;
const logger = new Logger('TenantPool');
const cls = ClsServiceManager.getClsService();

/** Runs in the tenant's scope but outside the current request, which the instance would retain. */
function outsideRequest<R>(tenant: TenantContext, run: () => R): R {
  return cls.exit(() => enterScope({ kind: 'tenant', tenant }, run));
}

/** Returns true for a promise, also one of a library: a value with a method `then`. */
function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | null | undefined)?.then === 'function';
}
