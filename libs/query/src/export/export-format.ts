import { UnacceptableExportError } from '../query.errors.js';
import { csvFormat, type ExportFormat, jsonOf } from './csv.js';

/** The formats by media type. The first format is used if the client has no preference. */
const FORMATS = {
  'application/x-ndjson': () => NDJSON,
  'application/ndjson': () => NDJSON,
  'application/jsonl': () => NDJSON,
  'text/csv': csvFormat,
} satisfies Record<string, (columns: readonly string[] | undefined) => ExportFormat>;

const NDJSON: ExportFormat = {
  type: 'application/x-ndjson',
  head: () => '',
  line: (row) => `${jsonOf(row)}\n`,
};

/**
 * @param accept the `Accept` header. Undefined accepts every format
 * @throws UnacceptableExportError
 */
export function formatFor(
  accept: string | undefined,
  columns: readonly string[] | undefined,
): ExportFormat {
  const wanted = rangesOf(accept ?? '*/*');
  let best: { readonly type: keyof typeof FORMATS; readonly weight: number } | undefined;
  for (const type of Object.keys(FORMATS) as (keyof typeof FORMATS)[]) {
    const weight = weightOf(type, wanted);
    if (weight > (best?.weight ?? 0)) best = { type, weight };
  }
  if (best === undefined) throw new UnacceptableExportError(['application/x-ndjson', 'text/csv']);
  return FORMATS[best.type](columns);
}

type Ranges = ReadonlyMap<string, number>;

function rangesOf(accept: string): Ranges {
  const parts = accept.split(',').map((part) => part.split(';').map((text) => text.trim()));
  return new Map(
    parts.map(([range = '', ...parameters]) => {
      const weight = parameters.find((text) => /^q=/i.test(text))?.slice(2);
      const number = weight === undefined ? 1 : Number(weight);
      return [range.toLowerCase(), Number.isNaN(number) ? 0 : number];
    }),
  );
}

/** The most specific media range decides. */
function weightOf(type: string, ranges: Ranges): number {
  const group = `${type.split('/', 1)[0]}/*`;
  return ranges.get(type) ?? ranges.get(group) ?? ranges.get('*/*') ?? 0;
}
