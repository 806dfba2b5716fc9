import { isEditable } from './fields.ts';
import { type Described, type DescribedField, keyOf } from './model.ts';

/** Fields that say how far a record has come, the first that is there. */
const STAGES = ['stage_id', 'state', 'x_stage_id', 'x_state'];

/** Fields whose values can be columns: those of which a list can show exactly the records of a value. Pure. */
export const boardFields = (model: Described): DescribedField[] =>
  model.groupField && model.listField
    ? model.fields
        .filter(
          (field) =>
            (field.type === 'MANY2ONE' || field.type === 'SELECTION') &&
            field.groupable &&
            field.searchable &&
            field.stored &&
            keyOf(field) !== null,
        )
        .sort((a, b) => rankOf(a) - rankOf(b))
    : [];

function rankOf(field: DescribedField): number {
  const at = STAGES.indexOf(field.name);
  if (at >= 0) return at;
  if (!isEditable(field)) return STAGES.length + 2;
  return field.type === 'SELECTION' ? STAGES.length : STAGES.length + 1;
}

/** The field by which records of the model go forward; null where they do not. Pure. */
export const stageField = (model: Described): DescribedField | null =>
  model.fields
    .filter(({ name, type }) => STAGES.includes(name) && (type === 'MANY2ONE' || type === 'SELECTION'))
    .sort((a, b) => rankOf(a) - rankOf(b))[0] ?? null;

/** The picture that stands for a record on a card; null where the model has none. Pure. */
export const pictureField = ({ fields }: Described): DescribedField | null =>
  PICTURES.flatMap(
    (wanted) => fields.find(({ name, graphqlName }) => name === wanted && graphqlName) ?? [],
  )[0] ?? null;

const PICTURES = ['image_128', 'image_1920', 'x_image', 'x_photo'];

/** The field that keeps an order of records that people choose; null where the model has none. Pure. */
export const sequenceField = ({ fields }: Described): DescribedField | null =>
  fields.find(
    (field) => field.name === 'sequence' && field.type === 'INTEGER' && field.sortable && isEditable(field),
  ) ?? null;
