import type { Editor } from '@tiptap/core';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { type Completion, findCompletion } from './variable-list.tsx';

export function useCompletion(editor: Editor | null, variables: readonly string[], listId: string) {
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
