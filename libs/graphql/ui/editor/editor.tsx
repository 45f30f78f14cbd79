import { type Extension, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';

/**
 * An editor in a shadow root: CodeMirror then adopts its style sheet. Elsewhere it adds a style element, which a strict
 * CSP refuses.
 */
export function Editor(props: {
  /** The first text of an editor, or the current one of a view without `onChange`. */
  readonly text: string;
  readonly extensions: () => Extension;
  /** Called when the user changes the text. */
  readonly onChange?: (text: string) => void;
  /** Called with the editor when it is ready. Returns what to do when it is removed. */
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
    // Only the text changes, which is followed below.
  }, []);

  useEffect(() => {
    const editor = view.current;
    // The user may have typed on since this text was read, so an editable text is not set again.
    if (!editor || onChange || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);

  return <div class="editor" ref={place} />;
}
