import { type Processor, UnrecoverableError, type Worker } from 'bullmq';
import { runOrRefuse } from '../../scope/run-in-scope.js';
import type { Tenancy } from '../../scope/tenancy.js';
import { currentScope, enterScope, NO_TENANT, type TenantScope } from '../../scope/tenant-scope.js';
import { TenantHttpError, TenantPeerVersionError } from '../../tenant.errors.js';

export class JobScopes {
  private readonly scopes = new WeakMap<object, TenantScope>();

  constructor(private readonly tenancy: Tenancy) {}

  /**
   * The worker looks up the tenant again. A job fails without further attempts if its tenant is
   * unknown, suspended or malformed, or if the identifier now belongs to another tenant. A job is
   * retried if its tenant is under maintenance, or if the store fails. Wraps `worker.processFn`
   * instead of `process()`, because `@nestjs/bullmq` creates request-scoped processors and their
   * providers in that function, before it calls `process()`.
   * @throws TenantPeerVersionError if the worker has no `processFn`
   */
  scopeJobs(worker: Worker): void {
    const own = worker as unknown as { processFn?: Processor<unknown, unknown> };
    const { processFn: processor } = own;
    if (processor === undefined) {
      throw new TenantPeerVersionError('@fledge/tenant/bullmq', 'bullmq', PEER, 'worker.processFn');
    }
    own.processFn = (job, ...rest) =>
      runOrRefuse(
        (work) => this.tenancy.runFrom(job.opts, work),
        () => {
          this.scopes.set(job, currentScope() ?? NO_TENANT);
          return processor(job, ...rest);
        },
        (error) => {
          throw isFinal(error) ? unrecoverable(error) : error;
        },
      );
  }

  /**
   * Without this, the event listeners would run in the scope that started the worker. If another
   * worker processed the job, the listeners run without a tenant.
   */
  scopeEvents(worker: Worker): void {
    const emit = worker.emit.bind(worker) as (...args: unknown[]) => boolean;
    worker.emit = (...args: unknown[]) =>
      enterScope(this.scopes.get(args[1] as object) ?? NO_TENANT, () => emit(...args));
  }
}

export const PEER = '^5.16.0 || ^6.0.0';

function isFinal(error: unknown): error is TenantHttpError {
  return error instanceof TenantHttpError && !error.isTemporary;
}

function unrecoverable(cause: TenantHttpError): UnrecoverableError {
  const error = new UnrecoverableError(`${cause.code}: ${cause.message}`);
  return Object.assign(error, { cause });
}
