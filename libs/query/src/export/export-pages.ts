import {
  atLeast,
  kind,
  listOf,
  type OptionTable,
  readOptions,
  text,
} from '@fledge-internal/options';
import { AsyncResource } from 'node:async_hooks';
import { addAbortSignal, Readable } from 'node:stream';
import { cursorResponseOf, type FetchedCursorRows } from '../page/cursor-page.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { placeOfCall } from '../query.defaults.js';
import { ExportLimitError, InvalidQueryError } from '../query.errors.js';
import type { ExportFormat } from './csv.js';
import { formatFor } from './export-format.js';

/** Options of `exportPages`. */
export interface ExportOptions {
  /** The `Accept` header of the request. The header selects NDJSON or CSV. @default NDJSON */
  readonly accept?: string | undefined;
  /**
   * Maximum number of rows. A larger export fails, because an incomplete file would look complete.
   * @default 100000
   */
  readonly maxRows?: number | undefined;
  /** Number of rows per page. One page is in memory at a time. @default 1000 */
  readonly pageSize?: number | undefined;
  /**
   * Columns of a CSV file, in order. If rows have `toJSON()`, a column that `toJSON()` omits is
   * empty.
   * @default the fields of the first row
   */
  readonly columns?: readonly string[] | undefined;
  /**
   * Stops the export if this signal aborts. The export also stops if the client disconnects.
   * @default none
   */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS = {
  accept: text.optional,
  maxRows: atLeast(1).default(100_000),
  pageSize: atLeast(1, 2_147_483_646).default(1000),
  columns: listOf(text.required, 1).optional,
  signal: kind<AbortSignal>('an AbortSignal', (value) => value instanceof AbortSignal).optional,
} satisfies OptionTable<ExportOptions>;

/** The rows of one page of an export. */
export interface FetchedExportRows<T> extends FetchedCursorRows<T> {
  /** Returns the object to write for a row. It is called after `cursorOf`. @default the row */
  project?(row: T): object;
}

/**
 * Fetches a page of an export. Returns the same result as a fetcher of `paginate`.
 * @param signal aborts when the export stops. Pass it to a driver that can cancel a query
 */
export type ExportFetcher<Parsed, T> = (
  parsed: Parsed,
  signal: AbortSignal,
) => FetchedExportRows<T> | PromiseLike<FetchedExportRows<T>>;

/** An export. Its first page has already been fetched. */
export interface ExportedList {
  /** The exported data. Each page is fetched after the previous page has been read. */
  readonly stream: Readable;
  /** The media type of the stream, for `Content-Type`. */
  readonly type: string;
}

/**
 * Streams every row of a list as NDJSON or CSV. Each page is fetched with a cursor, so only one
 * page is in memory. The first page is fetched before this function returns, so an invalid query
 * gets a 400. Later pages are fetched in the async context of the caller.
 *
 * @param fetchPage receives the parsed query of each page, and a signal that aborts if the client
 * disconnects
 * @param parsed a query parsed with `cursors: true`. If it has `after`, the export starts after
 * that row
 * @throws InvalidQueryError
 * @throws UnacceptableExportError if `accept` allows neither format
 * @throws InvalidQueryConfigError if an option is unknown or invalid
 * @throws the reason of `signal` if it aborts before the first page has been fetched
 * @example
 * ```ts
 * const { stream, type } = await exportPages((query) => this.find(query), query, { accept });
 * return new StreamableFile(stream, { type });
 * ```
 */
export async function exportPages<Parsed extends AnyParsedQuery, T extends object>(
  fetchPage: ExportFetcher<Parsed, T>,
  parsed: Parsed,
  options: ExportOptions = {},
): Promise<ExportedList> {
  const read = readOptions(options, OPTIONS, placeOfCall('exportPages'));
  if (parsed.before !== undefined) {
    const expected = '`after` instead of `before`, to set the start of the export';
    throw new InvalidQueryError([{ kind: 'cursor', reason: 'not-expressible', expected }]);
  }
  const format = formatFor(read.accept, read.columns);
  read.signal?.throwIfAborted();
  const stopped = stoppedBy(read.signal);
  const { signal } = stopped;
  const pagination = { page: 1, limit: read.pageSize, offset: 0 };
  // Without `bind`, a stream would be read in the async context of the socket.
  const fetchAfter = AsyncResource.bind(async (after: string | undefined): Promise<TextPage> => {
    const query = { ...parsed, pagination, ...(after !== undefined && { after }) };
    const found = await fetchPage(query, signal);
    const { cursorOf } = found;
    const page = cursorResponseOf({ data: await found.data, cursorOf, parsed: query });
    const rows = page.data.map((row) => found.project?.(row) ?? row);
    return { rows, next: page.meta.nextCursor };
  });
  const run = { fetchAfter, format, maxRows: read.maxRows, signal };
  try {
    const texts = textsOf(await fetchAfter(parsed.after), run);
    return { stream: await startedStream(texts, stopped), type: format.type };
  } catch (error) {
    // Throws the reason of the signal instead of a driver's error about a canceled query.
    signal.throwIfAborted();
    stopped.abort();
    throw error;
  }
}

/**
 * Returns a controller that also aborts if `outer` aborts. When the controller aborts, its listener
 * is removed from `outer`. On Node.js 20, `AbortSignal.any` would leave an entry in `outer` for each
 * export.
 */
function stoppedBy(outer: AbortSignal | undefined): AbortController {
  const stopped = new AbortController();
  const stop = () => stopped.abort(outer?.reason);
  outer?.addEventListener('abort', stop, { signal: stopped.signal });
  return stopped;
}

interface TextPage {
  readonly rows: readonly object[];
  readonly next: string | null;
}

interface ExportRun {
  readonly fetchAfter: (after: string) => Promise<TextPage>;
  readonly format: ExportFormat;
  readonly maxRows: number;
  readonly signal: AbortSignal;
}

/** Yields one string for each page. */
async function* textsOf(
  first: TextPage,
  { fetchAfter, format, maxRows, signal }: ExportRun,
): AsyncGenerator<string, void> {
  let head = format.head(first.rows);
  let page = first;
  for (let left = maxRows; ; left -= page.rows.length) {
    const lines = page.rows.slice(0, left).map((row) => format.line(row));
    yield head + lines.join('');
    head = '';
    const isMore = page.rows.length > left || (page.rows.length === left && page.next !== null);
    if (isMore) throw new ExportLimitError(maxRows);
    if (page.next === null) return;
    signal.throwIfAborted();
    page = await fetchAfter(page.next);
  }
}

/**
 * Writes the first page before the response begins. If a row cannot be written, this function
 * throws. Nest responds with 400 on Express if a stream fails before its first chunk.
 */
async function startedStream(
  texts: AsyncGenerator<string, void>,
  stopped: AbortController,
): Promise<Readable> {
  const { value: start } = await texts.next();
  stopped.signal.throwIfAborted();
  const stream = streamOf(texts, stopped);
  // A stream stops reading after an empty string.
  if (start) stream.push(start);
  return stream;
}

/**
 * Returns a stream of strings. If the stream is destroyed, `stopped` aborts immediately, even while
 * a page is being fetched. A stream that `Readable.from` creates would not abort immediately. If
 * `stopped` aborts, the stream is destroyed.
 */
function streamOf(texts: AsyncGenerator<string, void>, stopped: AbortController): Readable {
  const readNext = async (stream: Readable): Promise<void> => {
    for (;;) {
      const { done, value } = await texts.next();
      if (done === true) return void stream.push(null);
      // Skips empty strings, because a stream stops reading after an empty string.
      if (value !== '') return void stream.push(value);
    }
  };
  const stream = new Readable({
    highWaterMark: 1,
    read() {
      readNext(this).catch((error: unknown) => this.destroy(error as Error));
    },
    destroy(error, done) {
      stopped.abort(error ?? undefined);
      done(error);
    },
  });
  return addAbortSignal(stopped.signal, stream);
}
