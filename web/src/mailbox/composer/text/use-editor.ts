import { useRef, useState } from 'react';
import { language } from '../../../i18n/language.ts';
import { isLinkKey } from '../../../shell/keys/link-key.ts';
import type { Editor, EditorOptions, Tool } from './editor.ts';

interface EditorCallbacks extends Pick<EditorOptions, 'onChange' | 'onKey' | 'onFiles'> {
  onReady?(editor: Editor): void;
  /** Called instead of opening the link dialog if the text has no formatting. */
  onLinkKey?(): void;
}

/** Creates an editor, and the properties of its `EditorFrame` and `Toolbar`. */
export function useEditor(
  initial: Pick<EditorOptions, 'label' | 'quoteLabel' | 'content' | 'quote' | 'pictures'>,
  callbacks: EditorCallbacks,
) {
  const editor = useRef<Editor | null>(null);
  const [isReady, setIsReady] = useState(false);
  const [used, setUsed] = useState<Tool[]>([]);
  const [isLinkOpen, setIsLinkOpen] = useState(false);
  // The iframe keeps its initial callbacks. They call the current ones through this ref.
  const latest = useRef(callbacks);
  latest.current = callbacks;
  const [options] = useState<EditorOptions>(() => ({
    ...initial,
    language,
    onChange: () => latest.current.onChange(),
    onMove: () => setUsed(editor.current?.getActiveTools() ?? []),
    onKey(event) {
      if (!isLinkKey(event)) return latest.current.onKey(event);
      event.preventDefault();
      if (latest.current.onLinkKey) latest.current.onLinkKey();
      else setIsLinkOpen(true);
    },
    onFiles: (files, isPasted) => latest.current.onFiles(files, isPasted),
  }));
  const onReady = () => {
    setIsReady(true);
    latest.current.onReady?.(editor.current!);
  };
  return {
    editor,
    frame: { title: options.label, options, editor, onReady },
    tools: { editor: isReady ? editor.current : null, used, isLinkOpen, setIsLinkOpen },
  };
}
