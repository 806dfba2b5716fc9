import type { ChainedCommands, Command, Editor } from '@tiptap/core';
import { NodeSelection, TextSelection } from '@tiptap/pm/state';
import type { IconName } from '../../ui/icon.tsx';
import { blockStrings } from './strings.ts';

type ToolName = keyof typeof blockStrings.tools;

export interface Tool {
  name: ToolName;
  sign: string | { icon: IconName };
  /** True if the cursor is in a node of this kind. Undefined for actions that insert a node. */
  isOn?: boolean;
  run(): void;
}

export const buildTools = (editor: Editor, link: () => void, image: () => void): Tool[] => [
  ...buildTextTools(editor),
  { name: 'link', sign: { icon: 'link' }, isOn: editor.isActive('link'), run: link },
  { name: 'image', sign: { icon: 'picture' }, run: image },
  ...buildInsertTools(editor),
  {
    name: 'clear',
    sign: { icon: 'clear' },
    run: () => void editor.chain().focus().unsetAllMarks().clearNodes().run(),
  },
];

function buildTextTools(editor: Editor): Tool[] {
  const toggle = (
    name: ToolName,
    sign: Tool['sign'],
    isOn: boolean,
    change: (chain: ChainedCommands) => ChainedCommands,
  ): Tool => ({ name, sign, isOn, run: () => void change(editor.chain().focus()).run() });
  const heading = (level: 1 | 2 | 3): Tool =>
    toggle(`heading${level}`, `H${level}`, editor.isActive('heading', { level }), (chain) =>
      chain.toggleHeading({ level }),
    );
  const mark = (name: ToolName, sign: string): Tool =>
    toggle(name, sign, editor.isActive(name), (chain) => chain.toggleMark(name));
  const side = (name: 'center' | 'right', icon: IconName): Tool =>
    toggle(name, { icon }, editor.isActive({ textAlign: name }), (chain) => chain.toggleTextAlign(name));
  return [
    heading(1),
    heading(2),
    heading(3),
    mark('bold', 'B'),
    mark('italic', 'I'),
    mark('underline', 'U'),
    mark('strike', 'S'),
    toggle('bulletList', { icon: 'bullets' }, editor.isActive('bulletList'), (chain) =>
      chain.toggleBulletList(),
    ),
    toggle('orderedList', { icon: 'numbers' }, editor.isActive('orderedList'), (chain) =>
      chain.toggleOrderedList(),
    ),
    toggle('blockquote', { icon: 'quote' }, editor.isActive('blockquote'), (chain) =>
      chain.toggleBlockquote(),
    ),
    side('center', 'alignCenter'),
    side('right', 'alignRight'),
  ];
}

function buildInsertTools(editor: Editor): Tool[] {
  const run = () => editor.chain().focus();
  return [
    {
      name: 'button',
      sign: { icon: 'button' },
      run: () => insertBlock(editor, 'button', { text: blockStrings.buttonText, url: '' }),
    },
    { name: 'horizontalRule', sign: { icon: 'divider' }, run: () => void run().setHorizontalRule().run() },
    {
      name: 'spacer',
      sign: { icon: 'spacer' },
      run: () => insertBlock(editor, 'spacer', { height: 'md' }),
    },
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
  ];
}

/** Inserts a block and selects it, so that its fields are shown. */
export const insertBlock = (editor: Editor, type: string, attrs?: object): void =>
  void editor.chain().focus().command(moveBehindSelected).command(insertSelected(type, attrs)).run();

/** Inserts after a selected block instead of replacing it. */
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
