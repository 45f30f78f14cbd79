import type { CallResponse } from '../../serve/call/recording.js';
import type { ResultLimit } from './result-options.js';
import { isCut, sizeOf } from '../../serve/results/response-body.js';
import { linkUri, partNote, type LinkedResult, type ResultLinks } from './result-links.js';
import { partsOf } from './result-parts.js';
import type { McpContentBlock, ToolResult } from '../../serve/results/tool-result.js';

/** A result that was shortened. */
export interface CutResult {
  readonly result: ToolResult;
  /** A note for the model. It names the omitted part, and says where to read this part. */
  readonly note: string;
}

/**
 * Stores the rest of a result. Returns the id of the rest. Returns undefined if the rest was not
 * stored.
 */
export type Keep = (contents: LinkedResult['contents']) => string | undefined;

/** Returns the function that stores the rest of a result. Errors are not stored. */
export function keeper(
  links: ResultLinks | undefined,
  { overflow }: ResultLimit,
  { isError }: ToolResult,
  owner: () => Pick<LinkedResult, 'tool' | 'owner'>,
): Keep {
  if (links === undefined || overflow !== 'link' || isError) return () => undefined;
  return (contents) => links.add({ ...owner(), contents });
}

/** Shortens the first block of a result to the limit. Returns undefined if it fits. */
export function cutResult(
  result: ToolResult,
  maxBytes: number,
  response: CallResponse,
  keep: Keep,
): CutResult | undefined {
  const [first, ...others] = result.content;
  const cut =
    first?.type === 'text'
      ? cutText(first.text, maxBytes, response, keep)
      : first?.type === 'image' || first?.type === 'audio'
        ? cutMedia(first, maxBytes, response.bytes, keep)
        : undefined;
  if (cut === undefined) return undefined;
  const { shown, note, link } = cut;
  const text: McpContentBlock = { type: 'text', text: shown === '' ? note : `${shown}\n${note}` };
  const content = [text, ...(link ? [link] : []), ...others];
  return { result: { ...result, content }, note };
}

interface Cut {
  readonly shown: string;
  readonly note: string;
  readonly link?: McpContentBlock;
}

function cutText(
  whole: string,
  maxBytes: number,
  response: CallResponse,
  keep: Keep,
): Cut | undefined {
  const { texts, items, itemsShown } = partsOf(whole, maxBytes);
  const [shown = '', ...rest] = texts;
  if (rest.length === 0) return undefined;
  const bytes = Buffer.byteLength(whole);
  const id = keep({ kind: 'text', parts: texts, bytes });
  if (id !== undefined) {
    const name = `part 2 of ${texts.length}`;
    const link = linkTo(linkUri(id, 2), name, 'text/plain');
    return { shown, note: partNote(id, 1, texts.length), link };
  }
  const all = isCut(response) ? sizeOf(response) : `${bytes} bytes`;
  const said =
    items === undefined
      ? `${Buffer.byteLength(shown)} of ${all}`
      : `${itemsShown} of ${items} items`;
  return { shown, note: `(cut to the first ${said})` };
}

function cutMedia(
  { type, data, mimeType }: Extract<McpContentBlock, { type: 'image' | 'audio' }>,
  maxBytes: number,
  bytes: number,
  keep: Keep,
): Cut | undefined {
  if (bytes <= maxBytes) return undefined;
  const note = `(${type} left out: ${mimeType}, ${bytes} bytes)`;
  const id = keep({ kind: 'blob', data, mimeType, bytes: data.length });
  if (id === undefined) return { shown: '', note };
  return { shown: '', note, link: linkTo(linkUri(id, 1), type, mimeType) };
}

function linkTo(uri: string, name: string, mimeType: string): McpContentBlock {
  return { type: 'resource_link', uri, name, mimeType };
}
