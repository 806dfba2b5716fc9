import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import type { KeyboardEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { ADDRESS } from './toolbar.tsx';
import { blockWords } from './words.ts';

interface PieceFormProps {
  editor: Editor;
  variables: readonly string[];
  hasFallbacks: boolean;
}

/** What can be said about a kind of block, by its attributes. */
const ASKED: Record<string, readonly (keyof typeof blockWords.fields)[]> = {
  button: ['text', 'url', 'alignment', 'buttonColor', 'textColor', 'borderRadius'],
  image: ['alt', 'width', 'alignment', 'externalLink'],
  logo: ['alt', 'size', 'alignment'],
  spacer: ['height'],
  variable: ['fallback'],
};

const OPTIONS: Record<string, readonly string[]> = {
  alignment: ['left', 'center', 'right'],
  size: ['sm', 'md', 'lg'],
  height: ['sm', 'md', 'lg', 'xl'],
};

const COLOURS: Record<string, string> = { buttonColor: '#000000', textColor: '#ffffff' };

/** Fields of the block that is chosen. */
export function PieceForm({ editor, variables, hasFallbacks }: PieceFormProps) {
  const { selection } = editor.state;
  if (!(selection instanceof NodeSelection)) return null;
  const { node, from } = selection;
  const { name } = node.type;
  const fields = (Object.hasOwn(ASKED, name) ? ASKED[name]! : []).filter(
    (field) => field !== 'fallback' || hasFallbacks || node.attrs.fallback,
  );
  const set = (field: string, value: string) =>
    editor
      .chain()
      .updateAttributes(name, { [field]: value || null })
      .setNodeSelection(from)
      .run();
  const back = (event: KeyboardEvent) => {
    // On a button, Enter presses it.
    const isField = (event.target as Element).tagName !== 'BUTTON';
    if (event.key !== 'Escape' && !(event.key === 'Enter' && isField)) return;
    event.preventDefault();
    event.stopPropagation();
    editor.commands.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the fields within
    <div className="blocks-piece" onKeyDown={back}>
      <p className="blocks-piece-name">
        {name === 'variable'
          ? `{{${node.attrs.id ?? node.attrs.name}}}`
          : blockWords.pieces[name as 'button']}
      </p>
      {fields.map((field) => {
        const given = { key: field, label: blockWords.fields[field], value: String(node.attrs[field] ?? '') };
        if (Object.hasOwn(OPTIONS, field))
          return (
            <Choice
              {...given}
              key={field}
              options={OPTIONS[field]!.map((each) => [each, blockWords.options[each as 'left']])}
              onChange={({ target }) => set(field, target.value)}
            />
          );
        const isAddress = field === 'url' || field === 'externalLink';
        return (
          <Field
            {...given}
            key={field}
            {...(Object.hasOwn(COLOURS, field) && { type: 'color', value: given.value || COLOURS[field] })}
            {...((field === 'width' || field === 'borderRadius') && { type: 'number', min: 0, max: 1000 })}
            {...(isAddress && {
              inputMode: 'url' as const,
              list: 'block-addresses',
              pattern: ADDRESS,
              error:
                given.value && !new RegExp(`^${ADDRESS}$`).test(given.value) ? blockWords.noAddress : null,
            })}
            onChange={({ target }) => set(field, target.value)}
          />
        );
      })}
      <datalist id="block-addresses">
        {variables.map((each) => (
          <option key={each} value={`{{${each}}}`} />
        ))}
      </datalist>
      <Button
        icon="trash"
        onClick={() => editor.chain().deleteSelection().focus().run()}
        aria-label={blockWords.removePiece}
      >
        {blockWords.remove}
      </Button>
    </div>
  );
}
