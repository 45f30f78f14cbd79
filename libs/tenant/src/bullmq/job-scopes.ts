import { type Processor, UnrecoverableError, type Worker } from 'bullmq';
import type { Tenancy } from '../scope/tenancy.js';
import { currentScope, enterScope, type TenantScope } from '../scope/tenant-scope.js';
import {
  InvalidTenantError,
  SuspendedTenantError,
  type TenantHttpError,
  TenantMismatchError,
  UnknownTenantError,
} from '../tenant.errors.js';

/** Runs jobs for the tenants they carry, and remembers whose each was for the events about it. */
export class JobScopes {
  private readonly scopes = new WeakMap<object, TenantScope>();

  constructor(private readonly tenancy: Tenancy) {}

  /**
   * Returns a processor that looks up the tenant of its job and runs for it; for no tenant where the
   * job names none. A job fails without further attempts where its tenant is unknown, suspended or
   * ill-formed, or where its identifier belongs to another tenant by now. It is tried again where the
   * tenant is under maintenance or cannot be looked up.
   */
  process(processor: Processor<unknown, unknown>): Processor<unknown, unknown> {
    const process: typeof processor = async (job, ...rest) => {
      let begun = false;
      try {
        return await this.tenancy.runFrom(job.opts, () => {
          begun = true;
          this.scopes.set(job, currentScope() ?? NO_TENANT);
          return processor(job, ...rest);
        });
      } catch (error) {
        throw !begun && isFinal(error) ? unrecoverable(error) : error;
      }
    };
    // BullMQ makes a signal to abort for processors of three parameters only.
    return Object.defineProperty(process, 'length', { value: processor.length });
  }

  /**
   * Has the listeners of a worker run for the tenant of the job they are told of. Without it they run
   * for whoever started the worker. Where the job was not processed here, they run for nobody.
   */
  scopeEvents(worker: Worker): void {
    const emit = worker.emit.bind(worker) as (...args: unknown[]) => boolean;
    worker.emit = (...args: unknown[]) =>
      enterScope(this.scopes.get(args[1] as object) ?? NO_TENANT, () => emit(...args));
  }
}

const NO_TENANT: TenantScope = { kind: 'none' };

function isFinal(error: unknown): error is TenantHttpError {
  return (
    error instanceof InvalidTenantError ||
    error instanceof TenantMismatchError ||
    error instanceof UnknownTenantError ||
    error instanceof SuspendedTenantError
  );
}

function unrecoverable(cause: TenantHttpError): UnrecoverableError {
  const error = new UnrecoverableError(`${cause.code}: ${cause.message}`);
  return Object.assign(error, { cause });
}
