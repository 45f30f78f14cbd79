/** Tells the runner where the server listens, and what it has used whenever it is asked. */
export function report(port: number): void {
  process.send?.({ port });
  process.on('message', (question) => {
    if (question === 'collect') globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system, heap: process.memoryUsage().heapUsed });
  });
  process.on('disconnect', () => process.exit(0));
}
