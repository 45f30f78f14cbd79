import { json, jsonParseLinter } from '@codemirror/lang-json';
import { linter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, placeholder } from '@codemirror/view';
import { basics, looks, numberedAndFolding } from './extensions.js';
import { Editor } from './editor.js';
import { runKeys } from './operation-editor.js';

/** Edits a JSON object. An empty text counts as an empty object. */
export function JsonEditor(props: {
  readonly label: string;
  readonly text: string;
  readonly hint: string;
  readonly onChange: (text: string) => void;
}) {
  const { label, text, hint, onChange } = props;
  const faults = jsonParseLinter();
  return (
    <Editor
      text={text}
      extensions={() => [
        runKeys,
        basics(label),
        json(),
        linter((view) => (view.state.doc.toString().trim() === '' ? [] : faults(view))),
        placeholder(hint),
      ]}
      onChange={onChange}
    />
  );
}

/** Shows a result. Users can select, search and fold it, but not change it. */
export function JsonView({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <Editor
      text={text}
      extensions={() => [
        looks(label),
        numberedAndFolding(),
        json(),
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({ tabindex: '0' }),
      ]}
    />
  );
}
