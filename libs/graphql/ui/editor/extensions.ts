import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The extensions of every editor. The tab key leaves the editor, as keyboard users expect. */
export function basics(label: string): Extension {
  return [
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion(),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
    ]),
    looks(label),
  ];
}

/** Line numbers and folding, for results. */
export function numberedAndFolding(): Extension {
  return [lineNumbers(), foldGutter()];
}

export function looks(label: string): Extension {
  return [
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    theme,
    syntaxHighlighting(highlight),
  ];
}

// Custom properties work inside the shadow root, so the editor follows the theme of the page.
const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { background: 'var(--surface)', color: 'var(--ink3)', border: 'none' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { background: 'var(--selected)' },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--soft)' },
  '.cm-tooltip': {
    background: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '4px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--accent)',
    color: 'var(--on)',
  },
  '.cm-completionDetail': { color: 'inherit', opacity: '0.75', fontStyle: 'normal' },
  '.cm-placeholder': { color: 'var(--ink3)' },
  '.cm-foldPlaceholder': {
    background: 'var(--soft)',
    color: 'var(--ink2)',
    border: 'none',
    padding: '0 4px',
  },
});

const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.definitionKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.propertyName, tags.atom], color: 'var(--code-name)' },
  { tag: tags.variableName, color: 'var(--code-variable)' },
  { tag: [tags.string, tags.special(tags.name)], color: 'var(--code-text)' },
  { tag: [tags.integer, tags.float, tags.number], color: 'var(--code-number)' },
  { tag: [tags.bool, tags.null, tags.modifier, tags.attributeName], color: 'var(--code-variable)' },
  { tag: [tags.lineComment, tags.comment], color: 'var(--ink3)' },
]);
