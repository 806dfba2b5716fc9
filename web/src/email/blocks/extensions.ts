import type { Extensions } from '@tiptap/core';
import { Blockquote } from '@tiptap/extension-blockquote';
import { Bold } from '@tiptap/extension-bold';
import { Code } from '@tiptap/extension-code';
import { CodeBlock } from '@tiptap/extension-code-block';
import { Document } from '@tiptap/extension-document';
import { HardBreak } from '@tiptap/extension-hard-break';
import { Heading } from '@tiptap/extension-heading';
import { HorizontalRule } from '@tiptap/extension-horizontal-rule';
import { Italic } from '@tiptap/extension-italic';
import { BulletList, ListItem, OrderedList } from '@tiptap/extension-list';
import { Paragraph } from '@tiptap/extension-paragraph';
import { Strike } from '@tiptap/extension-strike';
import { Text } from '@tiptap/extension-text';
import { TextAlign } from '@tiptap/extension-text-align';
import { Underline } from '@tiptap/extension-underline';
import { Dropcursor, Gapcursor, UndoRedo } from '@tiptap/extensions';
import {
  ButtonBlock,
  ForeignBlock,
  ForeignInline,
  ForeignMark,
  ImageBlock,
  LinkMark,
  LogoBlock,
  Spacer,
  TextColor,
  UnsubscribeFooter,
  Variable,
} from './nodes.ts';

/** Preserves unknown attributes in documents from other programs. */
const buildRestAttribute = () => ({ rest: { default: null, rendered: false } });

/** Built-in nodes and marks, extended to preserve unknown attributes. */
const EXTENDED_NODES = new Set([
  ...['paragraph', 'heading', 'bulletList', 'orderedList', 'listItem', 'blockquote', 'codeBlock'],
  ...['horizontalRule', 'hardBreak', 'bold', 'italic', 'underline', 'strike', 'code'],
]);

/** Tab leaves the editor, as in other fields. Ctrl+[ and Ctrl+] change the nesting of a list item. */
const ListItemWithKeys = ListItem.extend({
  addKeyboardShortcuts() {
    return {
      Enter: () => this.editor.commands.splitListItem(this.name),
      'Mod-]': () => this.editor.commands.sinkListItem(this.name),
      'Mod-[': () => this.editor.commands.liftListItem(this.name),
    };
  },
});

/** The nodes and marks that the server renders, and placeholders that preserve unknown ones. */
export const extensions: Extensions = [
  Document,
  Paragraph,
  Text,
  Heading.configure({ levels: [1, 2, 3] }),
  BulletList,
  OrderedList,
  ListItemWithKeys,
  Blockquote,
  CodeBlock.configure({ enableTabIndentation: false }),
  HorizontalRule,
  HardBreak,
  Bold,
  Italic,
  Underline,
  Strike,
  Code,
  TextAlign.configure({ types: ['heading', 'paragraph'], alignments: ['left', 'center', 'right'] }),
  Variable,
  ButtonBlock,
  ImageBlock,
  LogoBlock,
  Spacer,
  UnsubscribeFooter,
  ForeignBlock,
  ForeignInline,
  ForeignMark,
  TextColor,
  LinkMark,
  UndoRedo,
  Dropcursor,
  Gapcursor,
].map((extension) =>
  EXTENDED_NODES.has(extension.name)
    ? // Extensions differ only in the types of their options.
      (extension as typeof Paragraph).extend({
        addAttributes() {
          return { ...this.parent?.(), ...buildRestAttribute() };
        },
      })
    : extension,
);
