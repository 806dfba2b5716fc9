import { formatNumber } from '../../i18n/format.ts';
import { Loading } from '../../shell/loading.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Select } from '../../ui/form/field.tsx';
import { type Facet, type RecordListProps, toRecordsVariables } from '../address.ts';
import { buildGroupsQuery, type RecordValues, toEnumName } from '../document.ts';
import { type FieldDescription, findField, getFieldKey, type ModelDescription } from '../model.ts';
import { recordStrings } from '../strings.ts';
import { formatFieldValue } from '../value.tsx';

const GROUPABLE_TYPES = new Set<FieldDescription['type']>(['MANY2ONE', 'SELECTION', 'BOOLEAN']);

const getGroupFields = ({ fields, groupField }: ModelDescription): FieldDescription[] =>
  groupField
    ? fields.filter(
        (field) => field.groupable && field.stored && GROUPABLE_TYPES.has(field.type) && getFieldKey(field),
      )
    : [];

export function GroupChoice({ model, view, show }: RecordListProps) {
  const fields = getGroupFields(model);
  if (fields.length === 0) return null;
  return (
    <Select
      label={recordStrings.groupBy}
      value={view.group ?? ''}
      options={[
        ['', recordStrings.noGrouping],
        ...fields.map((field) => [getFieldKey(field)!, field.label] as const),
      ]}
      onChange={({ target }) => show({ group: target.value || undefined })}
    />
  );
}

interface GroupsResult {
  groups: { count: number; key: Record<string, unknown> }[];
}

/** Lists a field's values with their record counts. Selecting a value filters the list. */
export function Groups({ model, view, show }: RecordListProps) {
  const field = getGroupFields(model).find((groupField) => groupField === findField(model, view.group!));
  return field ? <GroupCounts model={model} view={view} show={show} field={field} /> : null;
}

function GroupCounts({ model, view, show, field }: RecordListProps & { field: FieldDescription }) {
  const { where, withArchived } = toRecordsVariables(model, view);
  const { data, refusal } = useGraphqlQuery<GroupsResult, object>(buildGroupsQuery(model, field)!, {
    where,
    withArchived,
    groupBy: [{ field: toEnumName(field) }],
  });
  if (refusal) return <p role="alert">{refusal.message}</p>;
  if (!data) return <Loading />;
  return (
    <ul className="groups" aria-label={recordStrings.groupedRecords}>
      {data.groups.map(({ count, key }) => {
        const facet = toFacet(model, field, key);
        const label = facet[3] ?? recordStrings.noValue;
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

function toFacet(model: ModelDescription, field: FieldDescription, key: Record<string, unknown>): Facet {
  const name = getFieldKey(field)!;
  const value = key[name] as { id: string } | string | boolean | null | undefined;
  if (value === null || value === undefined) return [name, 'empty', ''];
  const label = formatFieldValue(model, field, key as RecordValues);
  return [name, 'eq', typeof value === 'object' ? value.id : String(value), label];
}
