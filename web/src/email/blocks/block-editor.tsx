import './block-editor.css';
import { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { NodeSelection } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { type DragEvent, type KeyboardEvent, useEffect, useId, useReducer, useRef, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { useAction } from '../../shell/use-action.ts';
import { BlockForm } from './block-form.tsx';
import { extensions } from './extensions.ts';
import { EmailImageUploadDocument } from './generated.ts';
import { fromEditor, parseStored, type StoredNode, toEditor } from './stored-document.ts';
import { blockStrings } from './strings.ts';
import { insertBlock, Toolbar } from './toolbar.tsx';
import { type Completion, findCompletion, VariableList } from './variable-list.tsx';

export interface BlockEditorProps {
  label: string;
  /** Stored document. A new value restarts the editor, unless the editor itself reported it. */
  content: string;
  onChange(content: string): void;
  /** Names offered as completions of a variable. */
  variables: readonly string[];
  /** Names of variables without a value, which are highlighted. */
  missing?: readonly string[];
  /** True if each placeholder has its own fallback, false if fallbacks are set per name for the whole document. */
  hasFallbacks?: boolean;
  disabled?: boolean;
  error?: string | null;
}

/** Edits a document of blocks. Calls `onChange` only after an edit, not on load. */
export default function BlockEditor(props: BlockEditorProps) {
  const reportedObject = useRef(props.content);
  const [initialContent, setInitialContent] = useState(props.content);
  if (props.content !== reportedObject.current && props.content !== initialContent) {
    reportedObject.current = props.content;
    setInitialContent(props.content);
  }
  const report = (content: string) => {
    reportedObject.current = content;
    props.onChange(content);
  };
  return <TiptapEditor key={initialContent} {...props} content={initialContent} onChange={report} />;
}

function TiptapEditor({ content, onChange, ...props }: BlockEditorProps) {
  const { label, variables, missing = [], hasFallbacks = false, disabled = false, error } = props;
  const id = useId();
  const container = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const latestOnChange = useRef(onChange);
  latestOnChange.current = onChange;
  const without = useRef<readonly string[]>([]);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [isUnknown, setIsUnknown] = useState(false);
  const { isBusy, act } = useAction();
  useEffect(() => {
    const createdEditor = createEditor(container.current!, content, {
      onContent: (text) => latestOnChange.current(text),
      without: () => without.current,
    });
    setIsUnknown(createdEditor === null);
    setEditor(createdEditor);
    createdEditor?.on('transaction', redraw);
    return () => createdEditor?.destroy();
  }, [content]);
  useEffect(() => {
    if (!editor) return;
    editor.setEditable(!disabled, false);
    const root = editor.view.dom;
    const about = {
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': label,
      'aria-describedby': `${id}-about`,
    };
    for (const [name, value] of Object.entries(about)) root.setAttribute(name, value);
    root.setAttribute('aria-disabled', String(disabled));
  }, [editor, disabled, label, id]);
  const completion = useCompletion(editor, variables, `${id}-names`);
  // The braces of a variable that is being typed are not balanced yet.
  const shownError = completion.open ? null : error;
  const missingKey = missing.join(' ');
  useEffect(() => {
    without.current = missingKey.split(' ');
    editor?.view.dispatch(editor.state.tr);
  }, [editor, missingKey]);
  const insertImages = (files: readonly File[]) =>
    act(async () => {
      for (const file of files) {
        const image = { name: file.name, content: await readBase64(file) };
        const { emailImageUpload } = await runMutation(EmailImageUploadDocument, image);
        const { url, width } = emailImageUpload;
        const attrs = { src: url, alt: '', width: String(Math.min(width, MAX_IMAGE_WIDTH)) };
        if (editor) insertBlock(editor, 'image', attrs);
      }
    });
  const onDrop = (event: DragEvent) => {
    const files = [...event.dataTransfer.files].filter(({ type }) => type.startsWith('image/'));
    if (files.length === 0) return;
    event.preventDefault();
    void insertImages(files);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (completion.onKeyDown(event) || event.key !== 'Enter') return;
    // If a block is selected, Enter moves the focus to the block's fields.
    if (!(editor?.state.selection instanceof NodeSelection)) return;
    const field = head.current?.querySelector<HTMLElement>('.blocks-piece :is(input, select, button)');
    if (!field) return;
    event.preventDefault();
    event.stopPropagation();
    field.focus();
  };
  return (
    <div className={shownError ? 'blocks wrong' : 'blocks'} aria-busy={isBusy || undefined}>
      <p className="blocks-label">{label}</p>
      {isUnknown ? (
        <p>{blockStrings.unknownVariables}</p>
      ) : (
        editor &&
        !disabled && (
          <div ref={head} className="blocks-head">
            <Toolbar editor={editor} onImages={insertImages} />
            <BlockForm editor={editor} variables={variables} hasFallbacks={hasFallbacks} />
          </div>
        )
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the text inside is the control */}
      <div
        ref={container}
        className="blocks-paper"
        hidden={isUnknown}
        onKeyDownCapture={onKeyDown}
        onDrop={onDrop}
        onDragOver={(event) => event.preventDefault()}
      />
      {completion.open && (
        <VariableList
          id={`${id}-names`}
          {...completion.open}
          at={completion.at}
          onChoose={completion.choose}
        />
      )}
      <p
        id={`${id}-about`}
        className={shownError ? 'blocks-about small wrong' : 'blocks-about small quiet'}
        role={shownError ? 'alert' : undefined}
      >
        {shownError || blockStrings.hint}
      </p>
    </div>
  );
}

/**
 * Maximum image width in pixels, equal to the width of the email body. Mail clients would scale down a larger image.
 */
const MAX_IMAGE_WIDTH = 600;

interface EditorCallbacks {
  onContent(content: string): void;
  without(): readonly string[];
}

/** Creates the editor of a document. Null if the document does not match the schema. */
function createEditor(
  element: HTMLElement,
  content: string,
  { onContent, without: missingNames }: EditorCallbacks,
): Editor | null {
  const node = parseStored(content);
  if (!node) return null;
  try {
    const editor = new Editor({
      element,
      extensions,
      content: toEditor(node),
      injectCSS: false,
      enableContentCheck: true,
      enablePasteRules: false,
      editorProps: { decorations: ({ doc }) => buildDecorations(doc, missingNames()) },
    });
    const { doc: before } = editor.state;
    before.check();
    editor.on('update', ({ editor: { state } }) => {
      const { content: blocks } = fromEditor(state.doc.toJSON() as StoredNode);
      // After undoing all edits, reports the original content byte for byte.
      onContent(state.doc.eq(before) ? content : JSON.stringify({ ...node, content: blocks }));
    });
    return editor;
  } catch (error) {
    // Tiptap's own errors, and errors from a document that does not match the schema.
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

async function readBase64(file: File): Promise<string> {
  const reader = new FileReader();
  const dataUrl = new Promise<string>((resolve, failed) => {
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => failed(reader.error);
  });
  reader.readAsDataURL(file);
  const url = await dataUrl;
  return url.slice(url.indexOf(',') + 1);
}

/** Completes a variable name typed after two opening braces. */
function useCompletion(editor: Editor | null, variables: readonly string[], listId: string) {
  const [selected, setSelected] = useState(0);
  const [closedAt, setClosedAt] = useState(-1);
  const completion: Completion | null = editor?.isFocused ? findCompletion(editor, variables) : null;
  const open = completion && completion.from !== closedAt ? completion : null;
  const at = open ? Math.min(selected, open.names.length - 1) : -1;
  const root = editor?.view.dom;
  useEffect(() => {
    if (at < 0) root?.removeAttribute('aria-activedescendant');
    else root?.setAttribute('aria-activedescendant', `${listId}-${at}`);
  }, [root, at, listId]);
  const choose = (name: string) => {
    if (!open) return;
    setSelected(0);
    const { from, to } = open;
    editor
      ?.chain()
      .focus()
      .insertContentAt({ from, to }, { type: 'variable', attrs: { id: name } })
      .run();
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!open) return false;
    const { length } = open.names;
    if (event.key === 'ArrowDown') setSelected((at + 1) % length);
    else if (event.key === 'ArrowUp') setSelected((at + length - 1) % length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(open.names[at]!);
    else if (event.key === 'Escape') setClosedAt(open.from);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { open, at, choose, onKeyDown };
}
