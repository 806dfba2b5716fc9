import { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { useEffect, useReducer, useRef, useState } from 'react';
import { extensions } from './extensions.ts';
import {
  fromEditorDocument,
  parseStoredDocument,
  type StoredNode,
  toEditorDocument,
} from './stored-document.ts';
import { blockStrings } from './strings.ts';

/**
 * Creates the editor for a stored document in `container`'s element.
 * @param missing names of variables without a value, which are highlighted
 */
export function useTiptap(content: string, onChange: (content: string) => void, missing: readonly string[]) {
  const container = useRef<HTMLDivElement>(null);
  const latestOnChange = useRef(onChange);
  latestOnChange.current = onChange;
  const missingNames = useRef<readonly string[]>([]);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [isUnknown, setIsUnknown] = useState(false);
  useEffect(() => {
    const createdEditor = createEditor(container.current!, content, {
      onContent: (text) => latestOnChange.current(text),
      missingNames: () => missingNames.current,
    });
    setIsUnknown(createdEditor === null);
    setEditor(createdEditor);
    createdEditor?.on('transaction', redraw);
    return () => createdEditor?.destroy();
  }, [content]);
  const missingKey = missing.join(' ');
  useEffect(() => {
    missingNames.current = missingKey.split(' ');
    editor?.view.dispatch(editor.state.tr);
  }, [editor, missingKey]);
  /** `isUnknown` is true if the document does not match the schema. */
  return { container, editor, isUnknown };
}

export function useTextboxRole(
  editor: Editor | null,
  label: string,
  hintId: string,
  disabled: boolean,
): void {
  useEffect(() => {
    if (!editor) return;
    editor.setEditable(!disabled, false);
    const attributes = {
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': label,
      'aria-describedby': hintId,
      'aria-disabled': String(disabled),
    };
    for (const [name, value] of Object.entries(attributes)) editor.view.dom.setAttribute(name, value);
  }, [editor, disabled, label, hintId]);
}

interface EditorCallbacks {
  onContent(content: string): void;
  missingNames(): readonly string[];
}

/** Returns null if the document does not match the schema. */
function createEditor(
  element: HTMLElement,
  content: string,
  { onContent, missingNames }: EditorCallbacks,
): Editor | null {
  const node = parseStoredDocument(content);
  if (!node) return null;
  try {
    const editor = new Editor({
      element,
      extensions,
      content: toEditorDocument(node),
      injectCSS: false,
      enableContentCheck: true,
      enablePasteRules: false,
      editorProps: { decorations: ({ doc }) => buildDecorations(doc, missingNames()) },
    });
    const { doc: before } = editor.state;
    before.check();
    editor.on('update', ({ editor: { state } }) => {
      const { content: blocks } = fromEditorDocument(state.doc.toJSON() as StoredNode);
      // If all edits have been undone, reports the original content unchanged.
      onContent(state.doc.eq(before) ? content : JSON.stringify({ ...node, content: blocks }));
    });
    return editor;
  } catch (error) {
    // Tiptap throws an Error if the document does not match the schema.
    if (!(error instanceof Error)) throw error;
    return null;
  }
}

function buildDecorations(doc: Node, names: readonly string[]): DecorationSet {
  const marks: Decoration[] = [];
  doc.descendants((node, index) => {
    if (node.type.name === 'variable' && names.includes(node.attrs.id ?? node.attrs.name))
      marks.push(Decoration.node(index, index + 1, { class: 'without-value', title: blockStrings.noValue }));
  });
  return DecorationSet.create(doc, marks);
}
