import { isEditable } from './fields.ts';
import { type FieldDescription, findField, getFieldKey, type ModelDescription } from './model.ts';

/** Fields that contain the stage of a record, by priority. */
const STAGE_FIELDS = ['stage_id', 'state', 'x_stage_id', 'x_state'];

/** Returns the fields whose values can be board columns. The list must support filtering by these values. */
export const getBoardFields = (model: ModelDescription): FieldDescription[] =>
  model.groupField && model.listField
    ? model.fields
        .filter(
          (field) =>
            (field.type === 'MANY2ONE' || field.type === 'SELECTION') &&
            field.groupable &&
            field.searchable &&
            field.stored &&
            getFieldKey(field) !== null,
        )
        .sort((a, b) => getFieldRank(a) - getFieldRank(b))
    : [];

function getFieldRank(field: FieldDescription): number {
  const index = STAGE_FIELDS.indexOf(field.name);
  if (index >= 0) return index;
  if (!isEditable(field)) return STAGE_FIELDS.length + 2;
  return field.type === 'SELECTION' ? STAGE_FIELDS.length : STAGE_FIELDS.length + 1;
}

/** Returns the field with the record's stage, or null. */
export const findStageField = (model: ModelDescription): FieldDescription | null =>
  model.fields
    .filter(({ name, type }) => STAGE_FIELDS.includes(name) && (type === 'MANY2ONE' || type === 'SELECTION'))
    .sort((a, b) => getFieldRank(a) - getFieldRank(b))[0] ?? null;

export const findPictureField = ({ fields }: ModelDescription): FieldDescription | null =>
  PICTURE_FIELDS.flatMap(
    (pictureName) => fields.find(({ name, graphqlName }) => name === pictureName && graphqlName) ?? [],
  )[0] ?? null;

const PICTURE_FIELDS = ['image_128', 'image_1920', 'x_image', 'x_photo'];

export const findSequenceField = ({ fields }: ModelDescription): FieldDescription | null =>
  fields.find(
    (field) => field.name === 'sequence' && field.type === 'INTEGER' && field.sortable && isEditable(field),
  ) ?? null;

/** Maximum number of list columns shown on a card. */
const MAX_COLUMN_FIELDS = 3;
/** Fields that every card shows if the model has them. */
const CARD_FIELDS = ['priority', 'tag_ids', 'activity_date_deadline', 'user_id', 'user_ids'];

/** True for the users who are responsible for a record. */
export const isAssigneeField = ({ name, relation }: FieldDescription): boolean =>
  (name === 'user_id' || name === 'user_ids') && relation === 'res.users';

/**
 * Returns a card's fields: the first columns of the list, then priority, tags, the next activity and the assignees.
 * @param columns keys of the list's columns
 * @param boardField field whose values are the board's columns
 */
export function getCardFields(
  model: ModelDescription,
  columns: string[],
  boardField: FieldDescription,
): FieldDescription[] {
  const named = columns
    .flatMap((key) => findField(model, key) ?? [])
    .filter(
      ({ name }) => name !== 'display_name' && name !== model.displayField && !CARD_FIELDS.includes(name),
    )
    .filter((field) => field !== boardField);
  const others = CARD_FIELDS.flatMap(
    (cardField) =>
      model.fields.find((field) => field.name === cardField && getFieldKey(field) !== null) ?? [],
  );
  return [...named.slice(0, MAX_COLUMN_FIELDS), ...others.filter((field) => field !== boardField)];
}

/** Returns the position of a priority in its selection: 0 for the lowest, which most records have. */
export const getPriorityLevel = ({ selection }: FieldDescription, value: unknown): number =>
  Math.max(0, selection?.findIndex((option) => (option.graphqlName ?? option.value) === value) ?? 0);
