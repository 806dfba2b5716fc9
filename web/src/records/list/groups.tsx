import { formatNumber } from '../../i18n/format.ts';
import { useAnswer } from '../../shell/answer.ts';
import { shellWords } from '../../shell/words.ts';
import { Choice } from '../../ui/field.tsx';
import { type Facet, type ListProps, recordsAsked } from '../address.ts';
import { enumNameOf, groupsDocument, type RecordValues } from '../document.ts';
import { type Described, type DescribedField, fieldNamed, keyOf } from '../model.ts';
import { textOf } from '../value.tsx';
import { recordWords } from '../words.ts';

const GROUPED = new Set<DescribedField['type']>(['MANY2ONE', 'SELECTION', 'BOOLEAN']);

const groupFields = ({ fields, groupField }: Described): DescribedField[] =>
  groupField
    ? fields.filter((field) => field.groupable && field.stored && GROUPED.has(field.type) && keyOf(field))
    : [];

/** The field whose values are counted. */
export function GroupChoice({ model, view, show }: ListProps) {
  const fields = groupFields(model);
  if (fields.length === 0) return null;
  return (
    <Choice
      label={recordWords.group}
      value={view.group ?? ''}
      options={[['', recordWords.noGroup], ...fields.map((each) => [keyOf(each)!, each.label] as const)]}
      onChange={({ target }) => show({ group: target.value || undefined })}
    />
  );
}

interface GroupsAnswer {
  groups: { count: number; key: Record<string, unknown> }[];
}

/** Values of a field, each with the number of records that have it; one of them narrows the list. */
export function Groups({ model, view, show }: ListProps) {
  const field = groupFields(model).find((each) => each === fieldNamed(model, view.group!));
  return field ? <Counted model={model} view={view} show={show} field={field} /> : null;
}

function Counted({ model, view, show, field }: ListProps & { field: DescribedField }) {
  const { where, withArchived } = recordsAsked(model, view);
  const { data, refusal } = useAnswer<GroupsAnswer, object>(groupsDocument(model, field)!, {
    where,
    withArchived,
    groupBy: [{ field: enumNameOf(field) }],
  });
  if (refusal) return <p role="alert">{refusal.message}</p>;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  return (
    <ul className="groups" aria-label={recordWords.groups}>
      {data.groups.map(({ count, key }) => {
        const facet = facetOf(model, field, key);
        const label = facet[3] ?? recordWords.noValue;
        return (
          <li key={facet[2]}>
            <button
              type="button"
              onClick={() => show({ where: [...(view.where ?? []), facet], group: undefined })}
            >
              {label} <span className="figures quiet">{formatNumber(count)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The condition that a group's records meet. Pure. */
function facetOf(model: Described, field: DescribedField, key: Record<string, unknown>): Facet {
  const name = keyOf(field)!;
  const value = key[name] as { id: string } | string | boolean | null | undefined;
  if (value === null || value === undefined) return [name, 'empty', ''];
  const label = textOf(model, field, key as RecordValues);
  return [name, 'eq', typeof value === 'object' ? value.id : String(value), label];
}
