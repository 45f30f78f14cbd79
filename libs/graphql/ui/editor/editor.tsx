import { type Extension, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';

/**
 * An editor in a shadow root, where CodeMirror adopts its style sheet. Outside a shadow root it
 * would add a style element, which a strict CSP blocks.
 */
export function Editor(props: {
  /** The initial text of an editor. For a view without `onChange`, the current text. */
  readonly text: string;
  readonly extensions: () => Extension;
  /** Called when the user changes the text. */
  readonly onChange?: (text: string) => void;
  /** Called when the editor is ready. Returns a function that runs when the editor is removed. */
  readonly onReady?: (view: EditorView) => () => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const { text, onChange } = props;

  useEffect(() => {
    const root = place.current!.attachShadow({ mode: 'open' });
    const changes = EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange?.(update.state.doc.toString());
    });
    const editor = new EditorView({
      state: EditorState.create({ doc: text, extensions: [props.extensions(), changes] }),
      parent: root,
      root,
    });
    view.current = editor;
    const removed = props.onReady?.(editor);
    return () => {
      removed?.();
      editor.destroy();
    };
    // The effect below follows `text`, which is the only prop that changes.
  }, []);

  useEffect(() => {
    const editor = view.current;
    // An editable text is not set again, because the user may have typed more since it was read.
    if (!editor || onChange || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);

  return <div class="editor" ref={place} />;
}
