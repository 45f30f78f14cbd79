import type { IncomingMessage } from 'node:http';
import { PanelRefusal } from '../panel.errors.js';

const MAX_BYTES = 65_536;

/**
 * Reads the JSON object of a POST. A parser of the application may have read it before.
 * @throws PanelRefusal
 */
export async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  // A form of another site can send text/plain without a preflight, but no application/json.
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw new PanelRefusal(415, 'PANEL_NOT_JSON', 'Send a JSON object as application/json.');
  }
  const parsed = (request as { body?: unknown }).body;
  const body = isRecord(parsed) ? parsed : parse(await textOf(request, parsed));
  if (isRecord(body)) return body;
  throw new PanelRefusal(400, 'PANEL_BAD_BODY', 'The body is not a JSON object.');
}

async function textOf(request: IncomingMessage, parsed: unknown): Promise<string> {
  if (typeof parsed === 'string' || Buffer.isBuffer(parsed)) return String(parsed);
  const chunks: Buffer[] = [];
  let bytes = 0;
  // By events: leaving a `for await` early would destroy the socket, and the 413 with it.
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) chunks.push(chunk);
      else
        reject(new PanelRefusal(413, 'PANEL_BODY_TOO_LARGE', `Send at most ${MAX_BYTES} bytes.`));
    });
    request.once('end', resolve);
    request.once('error', reject);
    if (request.readableEnded) resolve();
  });
  return Buffer.concat(chunks).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value)
  );
}
