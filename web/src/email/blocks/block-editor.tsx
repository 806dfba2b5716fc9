import './block-editor.css';
import { NodeSelection } from '@tiptap/pm/state';
import { type DragEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { BlockForm } from './block-form.tsx';
import { blockStrings } from './strings.ts';
import { Toolbar } from './toolbar.tsx';
import { useCompletion } from './use-completion.ts';
import { useImageUpload } from './use-image-upload.ts';
import { useTextboxRole, useTiptap } from './use-tiptap.ts';
import { VariableList } from './variable-list.tsx';

export interface BlockEditorProps {
  label: string;
  /** The stored document. The editor restarts with a new value, unless it reported the value itself. */
  content: string;
  onChange(content: string): void;
  variables: readonly string[];
  /** Names of variables without a value, which are highlighted. */
  missing?: readonly string[];
  /** True if each placeholder can have a fallback. False if fallbacks are set by name for the whole document. */
  hasFallbacks?: boolean;
  disabled?: boolean;
  error?: string | null;
}

/** Edits a document of blocks. Calls `onChange` after edits, but not on load. */
export function BlockEditor(props: BlockEditorProps) {
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
  const head = useRef<HTMLDivElement>(null);
  const { container, editor, isUnknown } = useTiptap(content, onChange, missing);
  useTextboxRole(editor, label, `${id}-about`, disabled);
  const completion = useCompletion(editor, variables, `${id}-names`);
  const { isBusy, insertImages } = useImageUpload(editor);
  // The braces of a variable that is being typed are not balanced yet.
  const shownError = completion.open ? null : error;
  const onDrop = (event: DragEvent) => {
    const files = [...event.dataTransfer.files].filter(({ type }) => type.startsWith('image/'));
    if (files.length === 0) return;
    event.preventDefault();
    void insertImages(files);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (completion.onKeyDown(event) || event.key !== 'Enter') return;
    // If a block is selected, Enter moves the focus to its fields.
    if (!(editor?.state.selection instanceof NodeSelection)) return;
    const field = head.current?.querySelector<HTMLElement>('.blocks-piece :is(input, select, button)');
    if (!field) return;
    event.preventDefault();
    event.stopPropagation();
    field.focus();
  };
  return (
    <div className={shownError ? 'blocks wrong' : 'blocks'} aria-busy={isBusy || undefined}>
      <p className="quiet small">{label}</p>
      {isUnknown && <p>{blockStrings.unknownVariables}</p>}
      {!isUnknown && editor && !disabled && (
        <div ref={head} className="blocks-head">
          <Toolbar editor={editor} onImages={insertImages} />
          <BlockForm editor={editor} variables={variables} hasFallbacks={hasFallbacks} />
        </div>
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
      <EditorHint id={`${id}-about`} error={shownError} />
    </div>
  );
}

const EditorHint = ({ id, error }: { id: string; error: string | null | undefined }) => (
  <p
    id={id}
    className={error ? 'blocks-about small wrong' : 'blocks-about small quiet'}
    role={error ? 'alert' : undefined}
  >
    {error || blockStrings.hint}
  </p>
);
