import { isObject } from '@fledge-internal/options';
import { type BodyFault, type JsonBody, readJsonBody } from '@fledge/core/packages';
import type { IncomingMessage } from 'node:http';
import { PanelRefusal } from '../panel.errors.js';

const MAX_BYTES = 65_536;

/**
 * Reads the JSON object of a POST request. A body parser of the application may already have read
 * it.
 * @throws PanelRefusal
 */
export async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const read = await new Promise<JsonBody>((resolve) =>
    readJsonBody(request, { limit: MAX_BYTES }, resolve),
  );
  if (read.fault === undefined) {
    if (isObject(read.body)) return read.body;
    throw refusalOf('invalid-json');
  }
  // Some body parsers store `{}` for a missing body. So a missing body is accepted here.
  const { body } = request as { body?: unknown };
  if (read.fault === 'consumed' && isObject(body)) return body;
  throw refusalOf(read.fault);
}

function refusalOf(fault: BodyFault): PanelRefusal {
  switch (fault) {
    // This check prevents CSRF. Without a preflight, a form of another site can send text/plain,
    // but not application/json.
    case 'not-json':
    case 'unknown-charset':
    case 'encoded':
      return new PanelRefusal(
        415,
        'PANEL_NOT_JSON',
        'Send a JSON object as application/json, in UTF-8 and uncompressed.',
      );
    case 'too-large':
      return new PanelRefusal(
        413,
        'PANEL_BODY_TOO_LARGE',
        `The body is too large. Send at most ${MAX_BYTES} bytes.`,
      );
    default:
      return new PanelRefusal(400, 'PANEL_BAD_BODY', 'The body is not a JSON object.');
  }
}
