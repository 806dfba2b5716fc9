import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import type { KeyboardEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { blockStrings } from './strings.ts';
import { LINK_PATTERN } from './toolbar.tsx';

interface BlockFormProps {
  editor: Editor;
  variables: readonly string[];
  hasFallbacks: boolean;
}

const FORM_FIELDS: Record<string, readonly (keyof typeof blockStrings.fields)[]> = {
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

const DEFAULT_COLORS: Record<string, string> = { buttonColor: '#000000', textColor: '#ffffff' };

export function BlockForm({ editor, variables, hasFallbacks }: BlockFormProps) {
  const { selection } = editor.state;
  if (!(selection instanceof NodeSelection)) return null;
  const { node, from } = selection;
  const { name } = node.type;
  const fields = (Object.hasOwn(FORM_FIELDS, name) ? FORM_FIELDS[name]! : []).filter(
    (field) => field !== 'fallback' || hasFallbacks || node.attrs.fallback,
  );
  const set = (field: string, value: string) =>
    editor
      .chain()
      .updateAttributes(name, { [field]: value || null })
      .setNodeSelection(from)
      .run();
  const returnToEditor = (event: KeyboardEvent) => {
    // Enter on a button must still press the button.
    const isField = (event.target as Element).tagName !== 'BUTTON';
    if (event.key !== 'Escape' && !(event.key === 'Enter' && isField)) return;
    event.preventDefault();
    event.stopPropagation();
    editor.commands.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys of the fields inside
    <div className="blocks-piece" onKeyDown={returnToEditor}>
      <p className="blocks-piece-name">
        {name === 'variable'
          ? `{{${node.attrs.id ?? node.attrs.name}}}`
          : blockStrings.blockNames[name as 'button']}
      </p>
      {fields.map((field) => {
        const fieldProps = {
          key: field,
          label: blockStrings.fields[field],
          value: String(node.attrs[field] ?? ''),
        };
        if (Object.hasOwn(OPTIONS, field))
          return (
            <Select
              {...fieldProps}
              key={field}
              options={OPTIONS[field]!.map((item) => [item, blockStrings.options[item as 'left']])}
              onChange={({ target }) => set(field, target.value)}
            />
          );
        const isAddress = field === 'url' || field === 'externalLink';
        return (
          <Field
            {...fieldProps}
            key={field}
            {...(Object.hasOwn(DEFAULT_COLORS, field) && {
              type: 'color',
              value: fieldProps.value || DEFAULT_COLORS[field],
            })}
            {...((field === 'width' || field === 'borderRadius') && { type: 'number', min: 0, max: 1000 })}
            {...(isAddress && {
              inputMode: 'url' as const,
              list: 'block-addresses',
              pattern: LINK_PATTERN,
              error:
                fieldProps.value && !new RegExp(`^${LINK_PATTERN}$`).test(fieldProps.value)
                  ? blockStrings.invalidAddress
                  : null,
            })}
            onChange={({ target }) => set(field, target.value)}
          />
        );
      })}
      <datalist id="block-addresses">
        {variables.map((variable) => (
          <option key={variable} value={`{{${variable}}}`} />
        ))}
      </datalist>
      <Button
        icon="trash"
        onClick={() => editor.chain().deleteSelection().focus().run()}
        aria-label={blockStrings.removeBlock}
      >
        {blockStrings.remove}
      </Button>
    </div>
  );
}
