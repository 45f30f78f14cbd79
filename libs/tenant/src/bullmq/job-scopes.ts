import { type Processor, UnrecoverableError, type Worker } from 'bullmq';
import type { Tenancy } from '../scope/tenancy.js';
import { currentScope, enterScope, type TenantScope } from '../scope/tenant-scope.js';
import {
  InvalidTenantError,
  SuspendedTenantError,
  type TenantHttpError,
  UnknownTenantError,
} from '../tenant.errors.js';

/** Runs jobs for the tenants they carry, and remembers whose each was for the events about it. */
export class JobScopes {
  private readonly scopes = new WeakMap<object, TenantScope>();

  constructor(private readonly tenancy: Tenancy) {}

  /**
   * A processor that runs for the tenant of its job, checked anew, and for nobody where the job
   * carries none. The job of a tenant that is unknown, suspended or ill-formed fails without further
   * attempts, that of one under maintenance or that cannot be looked up is tried again as it says.
   */
  process(processor: Processor<unknown, unknown>): Processor<unknown, unknown> {
    const process: typeof processor = async (job, ...rest) => {
      let begun = false;
      try {
        return await this.tenancy.runFrom(job.opts, () => {
          begun = true;
          this.scopes.set(job, currentScope() ?? NOBODY);
          return processor(job, ...rest);
        });
      } catch (error) {
        throw !begun && isFinal(error) ? hopeless(error) : error;
      }
    };
    // BullMQ makes a signal to abort for processors of three parameters only.
    return Object.defineProperty(process, 'length', { value: processor.length });
  }

  /**
   * Has the listeners of a worker run for the tenant of the job they are told of. Without it they run
   * for whoever started the worker. Where the job was not processed here, they run for nobody.
   */
  tell(worker: Worker): void {
    const emit = worker.emit.bind(worker) as (...args: unknown[]) => boolean;
    worker.emit = (...args: unknown[]) =>
      enterScope(this.scopes.get(args[1] as object) ?? NOBODY, () => emit(...args));
  }
}

const NOBODY: TenantScope = { kind: 'none' };

function isFinal(error: unknown): error is TenantHttpError {
  return (
    error instanceof InvalidTenantError ||
    error instanceof UnknownTenantError ||
    error instanceof SuspendedTenantError
  );
}

function hopeless(cause: TenantHttpError): UnrecoverableError {
  const error = new UnrecoverableError(`${cause.code}: ${cause.message}`);
  return Object.assign(error, { cause });
}
