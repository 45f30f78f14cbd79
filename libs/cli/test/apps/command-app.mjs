// Stands for an application that takes the command of `fledge tenant`, and listens on a port before.
// TAKES is `late`, `never`, `state`, or `without` for an application without TenantLifecycleModule.
import { createServer } from 'node:net';

const { TAKES } = process.env;
const send = (message) => new Promise((resolve) => process.send(message, resolve));
createServer().listen(0);
console.log('IT SERVES');
if (TAKES === 'without') {
  // A pipe may split a character.
  for (const byte of Buffer.from('Straße\n')) {
    process.stdout.write(Buffer.of(byte));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await send({ kind: 'untaken' });
}
if (TAKES === 'state') {
  await send({ kind: 'begun' });
  const central = { tenant: null, status: null, migration: 'never', steps: [] };
  await send({ kind: 'states', tenants: [central] });
  await send({ kind: 'ended', ok: false });
  process.exit();
}
if (TAKES === 'late') {
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await send({ kind: 'begun' });
  const outcome = { tenant: 'eta', step: 'migrate', status: 'skipped', ms: 0, reason: 'half-made' };
  await send({ kind: 'outcome', outcome, finished: 1, total: 1 });
  await send({ kind: 'ended', ok: true });
  process.exit();
}
