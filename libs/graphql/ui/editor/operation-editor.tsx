import { lintKeymap } from '@codemirror/lint';
import { Prec } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { effect } from '@preact/signals';
import { graphql, updateSchema } from 'cm6-graphql';
import { cursor, text } from '../state/request.js';
import { start } from '../state/run.js';
import { schema } from '../state/schema.js';
import { showInDocs } from '../state/docs.js';
import { basics } from './extensions.js';
import { Editor } from './editor.js';

/** Runs the operation. Before the other keys: Enter adds a line in them. */
export const runKeys = Prec.highest(
  keymap.of([{ key: 'Mod-Enter', run: () => (start(), true), preventDefault: true }]),
);

/** The document, with completion, errors and links to the documentation, all from the schema. */
export function OperationEditor() {
  return (
    <Editor
      text={text.value}
      extensions={() => [
        runKeys,
        lineNumbers(),
        basics('Operation'),
        keymap.of(lintKeymap),
        graphql(undefined, {
          showErrorOnInvalidSchema: false,
          onShowInDocs: (_field, type, parent) => showInDocs(parent ?? type),
        }),
        EditorView.updateListener.of(({ state, selectionSet, docChanged }) => {
          if (selectionSet || docChanged) cursor.value = state.selection.main.head;
        }),
      ]}
      onChange={(changed) => (text.value = changed)}
      onReady={(view) =>
        effect(() => {
          if (schema.value.state === 'loaded') updateSchema(view, schema.value.schema);
        })
      }
    />
  );
}
