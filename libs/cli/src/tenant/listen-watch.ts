// Loaded into the application ahead of its own code. An application without TenantLifecycleModule would
// ignore the command and serve.

/** Milliseconds that an application has after it begins to listen: metrics may listen before. */
const GRACE_MS = 2_000;
let since: number | undefined;

const watch = setInterval(() => {
  // The module deletes it when it takes the command.
  if (process.env['FLEDGE_TENANT_COMMAND'] === undefined) return clearInterval(watch);
  if (!process.getActiveResourcesInfo().includes('TCPServerWrap')) return;
  since ??= performance.now();
  if (performance.now() - since < GRACE_MS) return;
  clearInterval(watch);
  process.send?.({ kind: 'listens' });
}, 50).unref();
