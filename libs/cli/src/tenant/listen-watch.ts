// Detects an application without TenantLifecycleModule, which would ignore the command and serve
// requests. Loaded before the application's own code.

/**
 * Milliseconds to wait after the application begins to listen. A metrics server may listen before
 * TenantLifecycleModule starts.
 */
const GRACE_MS = 2_000;
let since: number | undefined;

const watch = setInterval(() => {
  // TenantLifecycleModule deletes the variable when it takes the command.
  if (process.env['FLEDGE_TENANT_COMMAND'] === undefined) return clearInterval(watch);
  if (!process.getActiveResourcesInfo().includes('TCPServerWrap')) return;
  since ??= performance.now();
  if (performance.now() - since < GRACE_MS) return;
  clearInterval(watch);
  process.send?.({ kind: 'listens' });
}, 50).unref();
