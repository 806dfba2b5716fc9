import './field-input.css';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useViewer } from '../../shell/viewer.ts';
import { IconButton } from '../../ui/button.tsx';
import { Checkbox, Field, Select, TextArea } from '../../ui/form/field.tsx';
import { toLocalInput } from '../../ui/input/local-input.ts';
import { PostedFrame } from '../../ui/posted-frame.tsx';
import type { NamedRecord } from '../document.ts';
import { type FieldDescription, isNumeric } from '../model.ts';
import { recordStrings } from '../strings.ts';
import { viewStrings } from '../view-strings.ts';
import { JsonInput } from './json-input.tsx';
import { RecordPicker } from './record-picker.tsx';

interface FieldInputProps {
  field: FieldDescription;
  /** In the format of `getInputValue`. */
  value: unknown;
  onEnter(value: unknown): void;
  error?: string | null;
}

export function FieldInput({ field, value, onEnter, error }: FieldInputProps) {
  const { label, required, type, size } = field;
  const text = value === null || value === undefined ? '' : String(value);
  const common = { label, required, error, hint: field.help ?? undefined };
  switch (type) {
    case 'BOOLEAN':
      return (
        <Checkbox
          label={label}
          hint={error ?? field.help ?? undefined}
          checked={value === true}
          onChange={({ target }) => onEnter(target.checked)}
        />
      );
    case 'SELECTION': {
      const options = field.selection!.map((item) => [item.graphqlName ?? item.value, item.label] as const);
      return (
        <Select
          {...common}
          value={text}
          options={required && text !== '' ? options : [['', ''], ...options]}
          onChange={({ target }) => onEnter(target.value || null)}
        />
      );
    }
    case 'MANY2ONE':
      return (
        <RecordInput field={field} value={value as NamedRecord | null} onEnter={onEnter} error={error} />
      );
    case 'MANY2MANY':
      return <Tags field={field} value={value as NamedRecord[]} onEnter={onEnter} error={error} />;
    case 'TEXT':
      return <TextArea {...common} value={text} onChange={({ target }) => onEnter(target.value)} />;
    case 'HTML':
      return <HtmlInput field={field} value={text} onEnter={onEnter} error={error} />;
    case 'JSON':
      return <JsonInput field={field} value={value} onEnter={onEnter} error={error} />;
    case 'DATETIME':
      return (
        <Field
          {...common}
          type="datetime-local"
          value={text && toLocalInput(text)}
          onChange={({ target }) => onEnter(target.value ? new Date(target.value).toISOString() : null)}
        />
      );
    default: {
      const kind = isNumeric(field)
        ? { type: 'number', step: type === 'INTEGER' ? 1 : 'any' }
        : { type: type === 'DATE' ? 'date' : 'text', maxLength: size ?? undefined };
      return <Field {...common} {...kind} value={text} onChange={({ target }) => onEnter(target.value)} />;
    }
  }
}

function HtmlInput({ field, value, onEnter, error }: FieldInputProps & { value: string }) {
  const [isShown, setIsShown] = useState(false);
  const { can } = useViewer();
  return (
    <div>
      <TextArea
        label={field.label}
        hint={recordStrings.htmlSource}
        required={field.required}
        error={error}
        value={value}
        onChange={({ target }) => onEnter(target.value)}
      />
      {value !== '' && can.has('previewBody') && (
        <details onToggle={({ currentTarget }) => setIsShown(currentTarget.open)}>
          <summary>{viewStrings.preview}</summary>
          {isShown && <PostedFrame to="/email/preview" html={value} title={field.label} />}
        </details>
      )}
    </div>
  );
}

function RecordInput({ field, value, onEnter, error }: FieldInputProps & { value: NamedRecord | null }) {
  return (
    <div className="record-input">
      <RecordPicker
        label={field.label}
        model={field.relation!}
        value={value}
        required={field.required}
        hint={field.help}
        error={error}
        onChoose={onEnter}
      />
      {value && (
        <Link
          className="record-link"
          to="/records/$model/$id"
          params={{ model: field.relation!, id: value.id }}
          aria-label={recordStrings.openNamed(value.displayName)}
          title={recordStrings.openNamed(value.displayName)}
        >
          ↗
        </Link>
      )}
    </div>
  );
}

function Tags({ field, value, onEnter, error }: FieldInputProps & { value: NamedRecord[] }) {
  return (
    <div className="tags">
      <RecordPicker
        label={field.label}
        model={field.relation!}
        value={null}
        required={field.required && value.length === 0}
        hint={field.help}
        error={error}
        onChoose={(record) => {
          if (record && !value.some(({ id }) => id === record.id)) onEnter([...value, record]);
        }}
      />
      <ul>
        {value.map((record) => (
          <li key={record.id}>
            <bdi>{record.displayName}</bdi>
            <IconButton
              icon="close"
              label={recordStrings.removeNamed(record.displayName)}
              onClick={() => onEnter(value.filter(({ id }) => id !== record.id))}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
