import type { Editor } from '@tiptap/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { FormDialog } from '../../shell/dialogs/form-dialog.tsx';
import { isLinkKey } from '../../shell/keys/link-key.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useTabStops } from '../../ui/input/use-tab-stops.ts';
import { blockStrings } from './strings.ts';
import { buildTools, type Tool } from './tools.ts';

/** The toolbar is a single tab stop. Arrow keys move between the buttons. */
export function Toolbar({ editor, onImages }: { editor: Editor; onImages(files: File[]): void }) {
  const { bar, move, getTabStop } = useTabStops();
  const pick = useRef<HTMLInputElement>(null);
  const [isLinkOpen, setIsLinkOpen] = useState(false);
  useLinkKey(editor, setIsLinkOpen);
  const tools = buildTools(
    editor,
    () => setIsLinkOpen(true),
    () => pick.current!.click(),
  );
  return (
    <div ref={bar} className="blocks-tools" role="toolbar" aria-label={blockStrings.toolbar} onKeyDown={move}>
      {tools.map(({ name, sign, isOn, run }, index) => (
        <Button
          key={name}
          look="ghost"
          className={`square tool-${name}`}
          aria-label={blockStrings.tools[name]}
          title={blockStrings.tools[name]}
          aria-pressed={isOn}
          // Preserves the editor's selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={run}
          {...getTabStop(index)}
        >
          {renderSign(sign)}
        </Button>
      ))}
      <input
        type="color"
        aria-label={blockStrings.textColor}
        title={blockStrings.textColor}
        value={String(editor.getAttributes('textStyle').color ?? '#1c2430')}
        onChange={({ target }) => editor.commands.setMark('textStyle', { color: target.value })}
        {...getTabStop(tools.length)}
      />
      <input
        ref={pick}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        hidden
        aria-label={blockStrings.tools.image}
        onChange={({ target }) => {
          onImages([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      {isLinkOpen && <LinkDialog editor={editor} onClose={() => setIsLinkOpen(false)} />}
    </div>
  );
}

/** Opens the link form with Ctrl+K in the text, as in the composer. Elsewhere on the page, Ctrl+K opens the palette. */
function useLinkKey(editor: Editor, setIsLinkOpen: (isOpen: boolean) => void): void {
  useEffect(() => {
    const { dom } = editor.view;
    const press = (event: KeyboardEvent) => {
      if (!isLinkKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setIsLinkOpen(true);
    };
    dom.addEventListener('keydown', press);
    return () => dom.removeEventListener('keydown', press);
  }, [editor, setIsLinkOpen]);
}

const renderSign = (sign: Tool['sign']): ReactNode =>
  typeof sign === 'string' ? <span aria-hidden="true">{sign}</span> : <Icon name={sign.icon} />;

function LinkDialog({ editor, onClose }: { editor: Editor; onClose(): void }) {
  const { href } = editor.getAttributes('link');
  const set = (form: FormData) => {
    const address = getText(form, 'address');
    onClose();
    const link = editor.chain().focus().extendMarkRange('link');
    if (!address) link.unsetMark('link').run();
    else if (editor.state.selection.empty && !href)
      link
        .insertContent({ type: 'text', text: address, marks: [{ type: 'link', attrs: { href: address } }] })
        .run();
    else link.setMark('link', { href: address }).run();
  };
  return (
    <FormDialog title={blockStrings.tools.link} submit={blockStrings.apply} onSubmit={set} onClose={onClose}>
      <Field
        name="address"
        label={blockStrings.linkAddress}
        hint={blockStrings.linkHint}
        pattern={LINK_PATTERN}
        defaultValue={String(href ?? '')}
        inputMode="url"
      />
    </FormDialog>
  );
}

/** Matches link targets that the server renders: a supported URL scheme or a variable. */
export const LINK_PATTERN = String.raw`\s*([Hh][Tt][Tt][Pp][Ss]?:|[Mm][Aa][Ii][Ll][Tt][Oo]:|[Tt][Ee][Ll]:|\{\{).*`;
