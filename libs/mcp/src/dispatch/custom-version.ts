import type { IncomingMessage } from 'node:http';
import { type VersioningOptions, VersioningType } from '@nestjs/common';

/**
 * Under custom versioning only the application's extractor knows what makes a request one of
 * version 2. For the requests of tool calls the answer is known beforehand, so it is given in the
 * extractor's place; every other request goes to the extractor as before. Both platforms read the
 * extractor from these options at request time.
 */
export function answerVersionOfCalls(
  versioning: VersioningOptions | undefined,
  versions: WeakMap<IncomingMessage, string>,
): void {
  if (versioning?.type !== VersioningType.CUSTOM) return;
  const { extractor } = versioning;
  versioning.extractor = (request: unknown) =>
    versions.get(request as IncomingMessage) ?? extractor(request);
}
