import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { RecordsView } from '../address.ts';
import { getPriorityLevel, isAssigneeField } from '../board-fields.ts';
import { getLinkedRecords, type NamedRecord, type RecordValues } from '../document.ts';
import { isPictureFile, PictureView, type RecordFile } from '../file-value.tsx';
import { type FieldDescription, getFieldKey, type ModelDescription } from '../model.ts';
import { ColumnValue, formatFieldValue, getFieldLabel } from '../value.tsx';
import { viewStrings } from '../view-strings.ts';
import { getDragProps } from './drag.ts';

interface CardProps {
  model: ModelDescription;
  view: RecordsView;
  fields: FieldDescription[];
  pictureField: FieldDescription | null;
  card: RecordValues;
  isActive: boolean;
  onActive(id: string): void;
  /** Undefined if cards cannot be moved. */
  move: unknown;
  ask(id: string): void;
}

export function Card({ model, view, fields, pictureField, card, isActive, onActive, move, ask }: CardProps) {
  const name = String(card.displayName ?? card.id);
  const stop = isActive ? 0 : -1;
  const picture = pictureField && (card[pictureField.graphqlName!] as RecordFile | null);
  return (
    <li
      className="kanban-card"
      data-card={card.id}
      onFocus={() => onActive(card.id)}
      {...getDragProps(card.id, name, move !== undefined)}
    >
      <div className="kanban-name">
        {isPictureFile(picture) && <PictureView file={picture!} label="" size={32} />}
        <Link
          to="/records/$model/$id"
          params={{ model: model.name, id: card.id }}
          search={view}
          draggable={false}
          tabIndex={stop}
        >
          {name}
        </Link>
        {move !== undefined && (
          <IconButton
            icon="more"
            label={viewStrings.moveNamed(name)}
            tabIndex={stop}
            onClick={() => ask(card.id)}
          />
        )}
      </div>
      {fields.map((field) => (
        <CardField key={getFieldKey(field)} model={model} field={field} card={card} />
      ))}
    </li>
  );
}

interface CardFieldProps extends Pick<CardProps, 'model' | 'card'> {
  field: FieldDescription;
}

function CardField({ model, field, card }: CardFieldProps) {
  const content = renderValue(model, field, card);
  if (content === null) return null;
  const isLabeled = LABELED_TYPES.has(field.type) && field.name !== 'priority';
  return (
    <p className="small">
      <span className={isLabeled ? 'quiet' : 'sr'}>{getFieldLabel(model, field)}: </span>
      {content}
    </p>
  );
}

/** Field types whose label is shown with the value on a card. */
const LABELED_TYPES = new Set<FieldDescription['type']>(['BOOLEAN', 'SELECTION', 'DATE', 'DATETIME']);

/** Renders a value for a card. Returns null if there is nothing to show. */
function renderValue(model: ModelDescription, field: FieldDescription, card: RecordValues): ReactNode {
  const text = formatFieldValue(model, field, card);
  if (text === '') return null;
  const value = card[getFieldKey(field)!];
  if (field.name === 'priority') return renderPriority(getPriorityLevel(field, value), text);
  if (isAssigneeField(field))
    return getAssignees(field, value).map((user) => <Avatar key={user.id} user={user} />);
  if (field.name === 'tag_ids')
    return getLinkedRecords(value).map(({ id, displayName }) => (
      <span key={id} className="kanban-tag">
        {displayName}
      </span>
    ));
  return <ColumnValue model={model} field={field} record={card} />;
}

/** Hides the lowest priority, because most records have it. */
const renderPriority = (level: number, text: string): ReactNode =>
  level > 0 ? (
    <span className="kanban-priority" title={text}>
      <span className="sr">{text}</span>
      {Array.from({ length: level }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the stars are identical
        <Icon key={index} name="star" fill />
      ))}
    </span>
  ) : null;

const getAssignees = (field: FieldDescription, value: unknown): NamedRecord[] =>
  field.list ? getLinkedRecords(value) : [value as NamedRecord];

const Avatar = ({ user: { id, displayName } }: { user: NamedRecord }) => (
  <img
    className="kanban-avatar"
    src={`/web/image/res.users/${id}/avatar_128`}
    alt={displayName}
    title={displayName}
    width={24}
    height={24}
    loading="lazy"
  />
);
