import type { Command, Editor } from '@tiptap/core';
import { NodeSelection, TextSelection } from '@tiptap/pm/state';
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { blockStrings } from './strings.ts';

interface ToolbarProps {
  editor: Editor;
  onImages(files: File[]): void;
}

type ToolName = keyof typeof blockStrings.tools;

interface Tool {
  name: ToolName;
  sign: string | { icon: IconName };
  /** True if the cursor is in a node of this kind. Undefined for actions that insert a node. */
  isOn?: boolean;
  run(): void;
}

/** Formatting toolbar. It has a single tab stop; arrow keys move between the buttons. */
export function Toolbar({ editor, onImages }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const pick = useRef<HTMLInputElement>(null);
  const [at, setAt] = useState(0);
  const [isLinkOpen, setIsLinkOpen] = useState(false);
  const tools = buildTools(
    editor,
    () => setIsLinkOpen(true),
    () => pick.current!.click(),
  );
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!step || (event.target as Element).tagName === 'SELECT') return;
    event.preventDefault();
    const stops = [...bar.current!.querySelectorAll<HTMLElement>('button, input[type=color]')];
    const next = (at + step + stops.length) % stops.length;
    setAt(next);
    stops[next]!.focus();
  };
  const getTabStop = (index: number) => ({ tabIndex: index === at ? 0 : -1, onFocus: () => setAt(index) });
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
          // Keeps the selection in the editor.
          onMouseDown={(event) => event.preventDefault()}
          onClick={run}
          {...getTabStop(index)}
        >
          {renderSign(sign)}
        </Button>
      ))}
      <input
        type="color"
        aria-label={blockStrings.color}
        title={blockStrings.color}
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

const renderSign = (sign: Tool['sign']): ReactNode =>
  typeof sign === 'string' ? <span aria-hidden="true">{sign}</span> : <Icon name={sign.icon} />;

function buildTools(editor: Editor, link: () => void, image: () => void): Tool[] {
  const run = () => editor.chain().focus();
  const insert = (type: string, attrs?: object) => () => insertBlock(editor, type, attrs);
  const mark = (name: ToolName & string, sign: string): Tool => ({
    name,
    sign,
    isOn: editor.isActive(name),
    run: () => void run().toggleMark(name).run(),
  });
  const heading = (level: 1 | 2 | 3): Tool => ({
    name: `heading${level}`,
    sign: `H${level}`,
    isOn: editor.isActive('heading', { level }),
    run: () => void run().toggleHeading({ level }).run(),
  });
  const side = (name: 'center' | 'right', icon: IconName): Tool => ({
    name,
    sign: { icon },
    isOn: editor.isActive({ textAlign: name }),
    run: () => void run().toggleTextAlign(name).run(),
  });
  return [
    heading(1),
    heading(2),
    heading(3),
    mark('bold', 'B'),
    mark('italic', 'I'),
    mark('underline', 'U'),
    mark('strike', 'S'),
    {
      name: 'bulletList',
      sign: { icon: 'bullets' },
      isOn: editor.isActive('bulletList'),
      run: () => void run().toggleBulletList().run(),
    },
    {
      name: 'orderedList',
      sign: { icon: 'numbers' },
      isOn: editor.isActive('orderedList'),
      run: () => void run().toggleOrderedList().run(),
    },
    {
      name: 'blockquote',
      sign: { icon: 'quote' },
      isOn: editor.isActive('blockquote'),
      run: () => void run().toggleBlockquote().run(),
    },
    side('center', 'alignCenter'),
    side('right', 'alignRight'),
    { name: 'link', sign: { icon: 'link' }, isOn: editor.isActive('link'), run: link },
    { name: 'image', sign: { icon: 'picture' }, run: image },
    {
      name: 'button',
      sign: { icon: 'button' },
      run: insert('button', { text: blockStrings.buttonText, url: '' }),
    },
    { name: 'horizontalRule', sign: { icon: 'divider' }, run: () => void run().setHorizontalRule().run() },
    { name: 'spacer', sign: { icon: 'spacer' }, run: insert('spacer', { height: 'md' }) },
    {
      name: 'variable',
      sign: '{ }',
      run: () => void run().command(moveBehindSelected).insertContent({ type: 'text', text: '{{' }).run(),
    },
    {
      name: 'unsubscribeFooter',
      sign: { icon: 'unsubscribe' },
      run: () =>
        void run()
          .command(moveBehindSelected)
          .insertContent({
            type: 'unsubscribeFooter',
            content: [{ type: 'text', text: blockStrings.footer }],
          })
          .run(),
    },
    {
      name: 'clear',
      sign: { icon: 'clear' },
      run: () => void run().unsetAllMarks().clearNodes().run(),
    },
  ];
}

/** Inserts a block and selects it, so that its fields are shown. */
export const insertBlock = (editor: Editor, type: string, attrs?: object): void =>
  void editor.chain().focus().command(moveBehindSelected).command(insertSelected(type, attrs)).run();

/** If a block is selected, inserts after it instead of replacing it. */
const moveBehindSelected: Command = ({ tr, state }) => {
  const { selection } = tr;
  if (!(selection instanceof NodeSelection && selection.node.isBlock)) return true;
  tr.insert(selection.to, state.schema.nodes.paragraph!.create());
  tr.setSelection(TextSelection.create(tr.doc, selection.to + 1));
  return true;
};

const insertSelected =
  (type: string, attrs?: object): Command =>
  ({ tr, state }) => {
    const node = state.schema.nodes[type]!.create(attrs as Record<string, unknown>);
    tr.replaceSelectionWith(node, false);
    tr.doc.descendants((descendant, index) => {
      if (descendant === node) tr.setSelection(NodeSelection.create(tr.doc, index));
    });
    return true;
  };

function LinkDialog({ editor, onClose }: { editor: Editor; onClose(): void }) {
  const { href } = editor.getAttributes('link');
  const set = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    const address = String(new FormData(event.currentTarget).get('address')).trim();
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
    <Dialog title={blockStrings.tools.link} onClose={onClose}>
      <form onSubmit={set}>
        <Field
          name="address"
          label={blockStrings.linkAddress}
          hint={blockStrings.linkHint}
          pattern={LINK_PATTERN}
          defaultValue={String(href ?? '')}
          inputMode="url"
          autoComplete="off"
        />
        <DialogButtons onClose={onClose}>
          <Button type="submit" look="primary">
            {blockStrings.apply}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** Pattern for link targets. The server renders links only for these schemes. */
export const LINK_PATTERN = String.raw`\s*([Hh][Tt][Tt][Pp][Ss]?:|[Mm][Aa][Ii][Ll][Tt][Oo]:|[Tt][Ee][Ll]:|\{\{).*`;
