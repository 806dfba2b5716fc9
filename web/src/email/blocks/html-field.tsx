import './block-editor.css';
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { TextArea } from '../../ui/form/field.tsx';
import { VariableList } from './variable-list.tsx';
import { OPEN_VARIABLE, suggestNames } from './variable-names.ts';

interface HtmlFieldProps {
  label: string;
  hint: string;
  value: string;
  variables: readonly string[];
  disabled?: boolean | undefined;
  error: string | null;
  onChange(html: string): void;
}

/** Edits an email's HTML source. Offers variables after `{{`, as the block editor does. */
export function HtmlField({ variables, value, error, onChange, ...field }: HtmlFieldProps) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [caret, setCaret] = useState(-1);
  const [selected, setSelected] = useState(0);
  const [position, setPosition] = useState({ left: 0, top: 0 });
  const names = caret < 0 ? [] : suggestNames(value.slice(0, caret), variables);
  const isOpen = names.length > 0;
  const at = Math.min(selected, names.length - 1);
  useLayoutEffect(() => {
    const area = frame.current?.querySelector('textarea');
    if (isOpen && area) setPosition(measureCaret(area, caret));
  }, [isOpen, caret]);
  const choose = (name: string) => {
    const area = frame.current!.querySelector('textarea')!;
    const from = caret - OPEN_VARIABLE.exec(value.slice(0, caret))![0].length;
    const to = value.startsWith('}}', caret) ? caret + 2 : caret;
    setSelected(0);
    area.focus();
    area.setSelectionRange(from, to);
    // Unlike an assignment, this keeps the browser's undo history.
    document.execCommand('insertText', false, `{{${name}}}`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    if (event.key === 'ArrowDown') setSelected((at + 1) % names.length);
    else if (event.key === 'ArrowUp') setSelected((at + names.length - 1) % names.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(names[at]!);
    else if (event.key === 'Escape') setCaret(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={frame} className="blocks">
      <TextArea
        {...field}
        className="code"
        rows={14}
        spellCheck={false}
        dir="ltr"
        value={value}
        // The braces of a variable that is being typed are not balanced yet.
        error={isOpen ? null : error}
        aria-autocomplete="list"
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        onChange={({ target }) => {
          onChange(target.value);
          setCaret(target.selectionStart);
        }}
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) => {
          if (isOpen) setCaret(selectionStart === selectionEnd ? selectionStart : -1);
        }}
        onBlur={() => setCaret(-1)}
        onKeyDown={onKeyDown}
      />
      {isOpen && <VariableList id={id} names={names} at={at} {...position} onChoose={choose} />}
    </div>
  );
}

/** Measures the position below the caret, in pixels from the corner of the field, with a copy of the text. */
function measureCaret(area: HTMLTextAreaElement, caret: number): { left: number; top: number } {
  const copy = document.createElement('div');
  const style = getComputedStyle(area);
  for (const name of ['font', 'lineHeight', 'letterSpacing', 'padding', 'border', 'tabSize'] as const)
    copy.style[name] = style[name];
  copy.style.cssText += `;position:absolute;visibility:hidden;white-space:pre-wrap;overflow-wrap:break-word;
    box-sizing:border-box;width:${area.offsetWidth}px`;
  const mark = document.createElement('span');
  mark.textContent = '\u200b';
  copy.append(area.value.slice(0, caret), mark);
  area.after(copy);
  const { offsetLeft, offsetTop, offsetHeight } = mark;
  copy.remove();
  return {
    left: Math.min(offsetLeft, Math.max(0, area.clientWidth - LIST_WIDTH)),
    top: area.offsetTop + Math.min(offsetTop - area.scrollTop + offsetHeight, area.offsetHeight),
  };
}

/** In pixels. */
const LIST_WIDTH = 240;
