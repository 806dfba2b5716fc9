import './code-editor.css';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { xml } from '@codemirror/lang-xml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, StateEffect, StateField, Transaction } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';

/** A position in a string. Lines and columns start at 1. */
export interface CodePosition {
  line: number;
  column: number;
}

interface CodeEditorProps {
  label: string;
  value: string;
  onChange(value: string): void;
  errorPosition: CodePosition | null;
  /** Incremented to move the cursor to the error. */
  goes: number;
  isReadOnly?: boolean;
  onSave?(): void;
}

/** A markup editor in a shadow root. Its constructable style sheets are allowed by a CSP that forbids inline styles. */
export function CodeEditor({
  label,
  value,
  onChange,
  errorPosition,
  goes,
  isReadOnly = false,
  onSave,
}: CodeEditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const callbacks = useRef({ onChange, onSave });
  callbacks.current = { onChange, onSave };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect below sets the content
  useEffect(() => {
    const root = box.current!.shadowRoot ?? box.current!.attachShadow({ mode: 'open' });
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: value, extensions: buildExtensions(label, isReadOnly, callbacks) }),
    });
    editor.current = view;
    return () => {
      view.destroy();
      editor.current = null;
    };
  }, [label, isReadOnly]);
  useEffect(() => {
    const { state } = editor.current!;
    if (state.doc.toString() === value) return;
    editor.current!.dispatch({
      changes: { from: 0, to: state.doc.length, insert: value },
      annotations: EXTERNAL_CHANGE,
    });
  }, [value]);
  const line = errorPosition?.line;
  const column = errorPosition?.column;
  useEffect(() => {
    const place = line && column ? { line, column } : null;
    editor.current!.dispatch({ effects: markEffect.of(place) });
  }, [line, column]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: moves only on request, not when the position changes
  useEffect(() => {
    if (goes === 0 || !errorPosition) return;
    const view = editor.current!;
    const at = getOffset(view.state, errorPosition);
    view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    view.focus();
  }, [goes]);
  return <div ref={box} className="code-editor" dir="ltr" />;
}

const EXTERNAL_CHANGE = Transaction.userEvent.of('outside');

type EditorCallbacks = { current: { onChange(value: string): void; onSave?: (() => void) | undefined } };

function buildExtensions(label: string, isReadOnly: boolean, callbacks: EditorCallbacks) {
  const save = () => {
    callbacks.current.onSave?.();
    return true;
  };
  return [
    lineNumbers(),
    history(),
    xml(),
    syntaxHighlighting(HIGHLIGHT_COLORS),
    EditorView.lineWrapping,
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({ 'aria-label': label, autocapitalize: 'off', spellcheck: 'false' }),
    keymap.of([{ key: 'Mod-s', run: save, preventDefault: true }, ...defaultKeymap, ...historyKeymap]),
    markField,
    THEME,
    EditorView.updateListener.of((update) => {
      const isTyped = !update.transactions.some((transaction) => transaction.isUserEvent('outside'));
      if (update.docChanged && isTyped) callbacks.current.onChange(update.state.doc.toString());
    }),
  ];
}

const markEffect = StateEffect.define<CodePosition | null>();

const markField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects, state }) {
    const effect = effects.find((effect) => effect.is(markEffect));
    return effect ? buildMarks(state, effect.value as CodePosition | null) : marks.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const ERROR_LINE = Decoration.line({ class: 'wrong-line' });
const ERROR_RANGE = Decoration.mark({ class: 'wrong-place' });

function buildMarks(state: EditorState, position: CodePosition | null): DecorationSet {
  if (!position) return Decoration.none;
  const at = getOffset(state, position);
  const line = state.doc.lineAt(at);
  // At the end of a line, marks the preceding character.
  const from = at < line.to ? at : Math.max(line.from, line.to - 1);
  const to = Math.min(from + 1, line.to);
  const wholeRange = ERROR_LINE.range(line.from);
  return Decoration.set(to > from ? [wholeRange, ERROR_RANGE.range(from, to)] : [wholeRange]);
}

function getOffset({ doc }: EditorState, { line, column }: CodePosition): number {
  const { from, to } = doc.line(Math.max(1, Math.min(line, doc.lines)));
  return Math.min(to, from + Math.max(0, column - 1));
}

const HIGHLIGHT_COLORS = HighlightStyle.define([
  { tag: tags.tagName, color: 'var(--label-8)' },
  { tag: tags.attributeName, color: 'var(--label-9)' },
  { tag: tags.attributeValue, color: 'var(--accent)' },
  { tag: [tags.angleBracket, tags.comment, tags.definitionOperator], color: 'var(--ink-2)' },
  { tag: [tags.invalid, tags.processingInstruction], color: 'var(--danger)' },
]);

const THEME = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': {
    color: 'var(--ink-2)',
    backgroundColor: 'var(--sunk)',
    borderRight: '1px solid var(--line)',
  },
  '.wrong-line': { backgroundColor: 'color-mix(in srgb, var(--danger) 12%, transparent)' },
  '.wrong-place': { textDecoration: 'underline wavy var(--danger)', textUnderlineOffset: '3px' },
});
