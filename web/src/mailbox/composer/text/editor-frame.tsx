import { type RefObject, useEffect, useRef } from 'react';
import { createDocumentEditor, type Editor, type EditorOptions } from './editor.ts';
import { mountFrame } from './spare-frame.ts';

interface EditorFrameProps {
  title: string;
  options: EditorOptions;
  editor: RefObject<Editor | null>;
  onReady(): void;
}

/** Renders the editor in an iframe, so that pasted styles apply and scripts do not run. */
export function EditorFrame({ title, options, editor, onReady }: EditorFrameProps) {
  const host = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: uses the initial value once
  useEffect(() => {
    const element = host.current!;
    mountFrame(element, title, (frame) => {
      editor.current = createDocumentEditor(frame.contentWindow as Window & typeof globalThis, options);
      onReady();
    });
    return () => {
      editor.current?.close();
      editor.current = null;
      element.replaceChildren();
    };
  }, []);
  return <div ref={host} className="composer-page" />;
}
