import type { Editor } from '@tiptap/core';
import { SuggestionList } from '../../ui/form/suggestion-list.tsx';
import { blockStrings } from './strings.ts';
import { OPEN_VARIABLE, suggestNames } from './variable-names.ts';

export interface Completion {
  names: readonly string[];
  from: number;
  to: number;
  /** In pixels, relative to the editor's corner. */
  left: number;
  top: number;
}

export function findCompletion(editor: Editor, variables: readonly string[]): Completion | null {
  const { selection, doc } = editor.state;
  const { $from, empty } = selection;
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return null;
  const before = doc.textBetween($from.start(), $from.pos, undefined, '\ufffc');
  const names = suggestNames(before, variables);
  if (names.length === 0) return null;
  const from = $from.pos - OPEN_VARIABLE.exec(before)![0].length;
  const cursorRect = editor.view.coordsAtPos(from);
  const domrect = editor.view.dom.closest('.blocks')!.getBoundingClientRect();
  const left = Math.max(0, Math.min(cursorRect.left - domrect.left, domrect.width - LIST_WIDTH));
  return { names, from, to: $from.pos, left, top: cursorRect.bottom - domrect.top };
}

/** In pixels. */
const LIST_WIDTH = 240;

interface VariableListProps extends Pick<Completion, 'names' | 'left' | 'top'> {
  id: string;
  at: number;
  onChoose(name: string): void;
}

/** Lists completions for a variable name. The editor keeps focus and handles key events. */
export const VariableList = ({ id, names, at, left, top, onChoose }: VariableListProps) => (
  <SuggestionList
    id={id}
    label={blockStrings.variables}
    className="blocks-names"
    style={{ left, top }}
    items={names}
    selected={at}
    getKey={(name) => name}
    renderItem={(name) => `{{${name}}}`}
    onChoose={onChoose}
  />
);
