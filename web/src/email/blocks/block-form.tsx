import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import type { ComponentProps, KeyboardEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/form/field.tsx';
import { blockStrings } from './strings.ts';
import { LINK_PATTERN } from './toolbar.tsx';

interface BlockFormProps {
  editor: Editor;
  variables: readonly string[];
  hasFallbacks: boolean;
}

type FieldName = keyof typeof blockStrings.fields;

const FORM_FIELDS: Record<string, readonly FieldName[]> = {
  button: ['text', 'url', 'alignment', 'buttonColor', 'textColor', 'borderRadius'],
  image: ['alt', 'width', 'alignment', 'externalLink'],
  logo: ['alt', 'size', 'alignment'],
  spacer: ['height'],
  variable: ['fallback'],
};

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
    // Enter on a button presses the button.
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
      {fields.map((field) => (
        <BlockField
          key={field}
          field={field}
          value={String(node.attrs[field] ?? '')}
          onChange={(value) => set(field, value)}
        />
      ))}
      <datalist id={ADDRESSES_ID}>
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

/** Id of the suggestion list for addresses, which contains the variables. */
const ADDRESSES_ID = 'block-addresses';

const OPTIONS: Record<string, readonly string[]> = {
  alignment: ['left', 'center', 'right'],
  size: ['sm', 'md', 'lg'],
  height: ['sm', 'md', 'lg', 'xl'],
};

const DEFAULT_COLORS: Record<string, string> = { buttonColor: '#000000', textColor: '#ffffff' };

interface BlockFieldProps {
  field: FieldName;
  value: string;
  onChange(value: string): void;
}

function BlockField({ field, value, onChange }: BlockFieldProps) {
  const label = blockStrings.fields[field];
  if (Object.hasOwn(OPTIONS, field))
    return (
      <Select
        label={label}
        value={value}
        options={OPTIONS[field]!.map((item) => [item, blockStrings.options[item as 'left']])}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  return (
    <Field
      label={label}
      value={value}
      {...getInputProps(field, value)}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function getInputProps(field: FieldName, value: string): Partial<ComponentProps<typeof Field>> {
  if (Object.hasOwn(DEFAULT_COLORS, field)) return { type: 'color', value: value || DEFAULT_COLORS[field] };
  if (field === 'width' || field === 'borderRadius') return { type: 'number', min: 0, max: 1000 };
  if (field !== 'url' && field !== 'externalLink') return {};
  const isValid = value === '' || new RegExp(`^${LINK_PATTERN}$`).test(value);
  return {
    inputMode: 'url',
    list: ADDRESSES_ID,
    pattern: LINK_PATTERN,
    error: isValid ? null : blockStrings.invalidAddress,
  };
}
