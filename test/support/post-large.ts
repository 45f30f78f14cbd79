import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * Posts large bodies from another thread, which writes while the server responds. Resolves with the
 * status of each response, or the code of the error.
 */
export async function postLarge(url: string): Promise<unknown[]> {
  const worker = new Worker(
    `const { parentPort, workerData: url } = require('node:worker_threads');
    const { request } = require('node:http');
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const post = () => new Promise((resolve) => {
      const sent = request(url, { method: 'POST', headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
        response.once('error', ({ code }) => resolve(code));
      });
      sent.once('error', ({ code }) => resolve(code)).end('x'.repeat(8_000_000));
    });
    (async () => {
      const found = [];
      for (let i = 0; i < 20; i++) found.push(await post());
      parentPort.postMessage(found);
    })();`,
    { eval: true, workerData: url },
  );
  const [found] = (await once(worker, 'message')) as [unknown[]];
  await worker.terminate();
  return found;
}
