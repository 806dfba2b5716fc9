import { type RefObject, useEffect, useRef } from 'react';
import { type Editor, type EditorOptions, editDocument } from './editor.ts';

interface EditorFrameProps {
  title: string;
  options: EditorOptions;
  editor: RefObject<Editor | null>;
  onReady(): void;
}

/** Where a text is written: a document of its own, in which pasted styles show and nothing runs. */
export function EditorFrame({ title, options, editor, onReady }: EditorFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(
    () => () => {
      editor.current?.close();
      editor.current = null;
    },
    [editor],
  );
  const start = () => {
    editor.current = editDocument(frame.current!.contentWindow as Window & typeof globalThis, options);
    onReady();
  };
  return <iframe ref={frame} className="composer-text" title={title} src="/mail/editor" onLoad={start} />;
}
