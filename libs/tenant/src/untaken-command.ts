import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

/** Milliseconds to wait, because another application in the same process may take the command. */
const GRACE_MS = 2_000;

/**
 * Reports to `fledge tenant` that the application has no `TenantLifecycleModule`. This module takes
 * the command before this hook runs, so the command would otherwise wait for its timeout.
 */
@Injectable()
export class UntakenCommand implements OnApplicationBootstrap {
  onApplicationBootstrap(): void {
    if (!isUntaken()) return;
    setTimeout(() => {
      if (isUntaken()) process.send?.({ kind: 'untaken' });
    }, GRACE_MS).unref();
  }
}

/** TenantLifecycleModule deletes the variable when it takes the command. */
function isUntaken(): boolean {
  return process.env['FLEDGE_TENANT_COMMAND'] !== undefined;
}
