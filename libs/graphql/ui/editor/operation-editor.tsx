import { lintKeymap } from '@codemirror/lint';
import { Prec } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { effect } from '@preact/signals';
import { graphql, updateSchema } from 'cm6-graphql';
import { firstOperation } from '../format/first-operation.js';
import { prettify } from '../format/prettify.js';
import { showInDocs } from '../state/docs.js';
import { cursor } from '../state/request.js';
import { start } from '../state/run.js';
import { schema } from '../state/schema.js';
import { changeTab, type OperationTab, WELCOME } from '../state/tabs.js';
import { basics } from './extensions.js';
import { Editor } from './editor.js';

/**
 * The keys that run the operation. They need the highest precedence, because other key maps insert
 * a line for Enter.
 */
export const runKeys = Prec.highest(
  keymap.of([{ key: 'Mod-Enter', run: () => (start(), true), preventDefault: true }]),
);

const formatKeys = keymap.of([
  { key: 'Shift-Mod-f', run: () => (format(), true), preventDefault: true },
]);

/** The editor of the current tab. */
let current: EditorView | undefined;

/**
 * Formats the document. A document with syntax errors stays unchanged, and the editor underlines
 * the errors.
 */
export function format(): void {
  if (!current) return;
  try {
    replaceText(current, prettify(current.state.doc.toString()));
  } catch {
    current.focus();
  }
}

function replaceText(view: EditorView, insert: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } });
}

/**
 * Edits the document of a tab. Completion, errors and links to the documentation come from the
 * schema.
 */
export function OperationEditor({ tab }: { readonly tab: OperationTab }) {
  return (
    <Editor
      text={tab.text}
      extensions={() => [
        runKeys,
        formatKeys,
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
      onChange={(text) => changeTab(tab.id, { text })}
      onReady={(view) => {
        current = view;
        cursor.value = 0;
        return effect(() => followSchema(view));
      }}
    />
  );
}

function followSchema(view: EditorView): void {
  if (schema.value.state !== 'loaded') return;
  const { schema: given } = schema.value;
  updateSchema(view, given);
  // The dispatch changes the tab, but this effect does not depend on the tab.
  if (view.state.doc.toString() === WELCOME) {
    queueMicrotask(() => replaceText(view, `${WELCOME}${firstOperation(given) ?? ''}\n`));
  }
}
