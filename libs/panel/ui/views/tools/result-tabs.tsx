import { useSignal } from '@preact/signals';
import { isRecord, parsedJson, prettyJson } from '@fledge-internal/ui/json';
import { Button } from '@fledge-internal/ui/controls';
import { Copy } from '@fledge-internal/ui/copy';
import { Note } from '../../parts/blocks.js';
import { JsonTree } from '../../parts/json-tree.js';

type Json = Readonly<Record<string, unknown>>;

function blocksOf({ content }: Json): readonly Json[] {
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

function textOf(block: Json): string | undefined {
  return typeof block['text'] === 'string' ? block['text'] : undefined;
}

/** Shows the content blocks of a result, as a model reads them. */
export function TextResult({ result }: { readonly result: Json }) {
  const blocks = blocksOf(result);
  if (blocks.length === 0) return <p class="sub">The result has no content.</p>;
  return (
    <>
      {blocks.map((block, at) => (
        <Block key={at} block={block} />
      ))}
    </>
  );
}

/** Maximum characters of a displayed text. The copy button copies the whole text. */
const MOST_SHOWN = 100_000;

function Block({ block }: { readonly block: Json }) {
  const asSent = useSignal(false);
  const text = textOf(block);
  if (text === undefined) return <OtherBlock block={block} />;
  const indented = prettyJson(text);
  const shown = asSent.value ? text : indented;
  return (
    <>
      <div class="bar2">
        <span class="dim grow">{remarkOf(text, indented, asSent.value)}</span>
        {indented !== text && (
          <Button look="quiet" small onClick={() => (asSent.value = !asSent.value)}>
            {asSent.value ? 'Indented' : 'As sent'}
          </Button>
        )}
        <Copy text={() => text} />
      </div>
      <pre class="code">{shown.slice(0, MOST_SHOWN)}</pre>
      {shown.length > MOST_SHOWN && (
        <p class="dim small">
          The rest of {shown.length} characters is not shown. Copy has all of it.
        </p>
      )}
    </>
  );
}

function remarkOf(text: string, indented: string, asSent: boolean): string {
  if (indented === text) return 'Text';
  return asSent ? 'JSON as sent' : 'Indented here, sent as one line';
}

/** Shows an image block as an image, and other blocks as JSON. */
function OtherBlock({ block }: { readonly block: Json }) {
  const { type, data, mimeType } = block;
  const isImage =
    type === 'image' &&
    typeof data === 'string' &&
    typeof mimeType === 'string' &&
    /^image\/(png|jpeg|gif|webp|avif)$/.test(mimeType);
  return isImage ? (
    <img class="pic" src={`data:${mimeType};base64,${data}`} alt="Image of the result" />
  ) : (
    <JsonTree value={block} />
  );
}

/** Shows `structuredContent`, or the text parsed as JSON. */
export function StructuredResult(props: { readonly result: Json; readonly declared: boolean }) {
  const { structuredContent } = props.result;
  if (structuredContent !== undefined) {
    return <JsonTree value={structuredContent} open={3} />;
  }
  const [first] = blocksOf(props.result);
  const value = parsedJson(first ? (textOf(first) ?? '') : '');
  return (
    <>
      {!props.declared && (
        <Note>
          The tool declares no <code>outputSchema</code>, so clients get no{' '}
          <code>structuredContent</code>. This is its text, read as JSON.
        </Note>
      )}
      {value === undefined ? (
        <p class="sub after">The text is not JSON.</p>
      ) : (
        <JsonTree value={value} open={3} />
      )}
    </>
  );
}
