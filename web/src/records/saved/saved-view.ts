import type { SearchParams } from '../../ui/input/search-params.ts';
import { type Facet, parseRecordsView, type RecordsView, toRecordsVariables } from '../address.ts';
import { toDayString } from '../calendar/days.ts';
import { toEnumName } from '../document.ts';
import { type FieldDescription, findField, getFieldKey, type ModelDescription } from '../model.ts';
import type { RecordsSavedQuery, RecordsSavedSaveMutationVariables } from './generated.ts';

export type SavedView = RecordsSavedQuery['savedViews']['nodes'][number];
export type SavedViewInput = RecordsSavedSaveMutationVariables['input'];

export interface SavedViewOptions {
  name: string;
  isShared: boolean;
  isDefault: boolean;
}

const toViewState = ({ saved: _saved, ...view }: RecordsView): RecordsView =>
  Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined)) as RecordsView;

export const hasNoViewSettings = (view: RecordsView): boolean => Object.keys(toViewState(view)).length === 0;

export function isSameView(left: RecordsView, right: RecordsView): boolean {
  const serialize = (view: RecordsView) =>
    JSON.stringify(Object.entries(toViewState(view)).sort(([a], [b]) => (a < b ? -1 : 1)));
  return serialize(left) === serialize(right);
}

const KINDS = { kanban: 'KANBAN', calendar: 'CALENDAR', pivot: 'PIVOT' } as const;

/**
 * Builds the input for a saved view: standard properties for other clients, and the complete state for this
 * application.
 * @param columns visible columns, which the URL can omit
 */
export function toSavedViewInput(
  model: ModelDescription,
  view: RecordsView,
  columns: string[],
  { name, isShared, isDefault }: SavedViewOptions,
): SavedViewInput {
  const { where, orderBy } = toRecordsVariables(model, view);
  const group = view.group === undefined ? undefined : findField(model, view.group);
  return {
    name,
    isShared,
    isDefault,
    model: model.name,
    kind: view.view ? KINDS[view.view] : 'LIST',
    where: where ?? null,
    orderBy: orderBy ?? null,
    groupBy: group ? [{ field: toEnumName(group) }] : null,
    columns,
    state: toViewState(view),
  };
}

export const toRenamedInput = (
  model: ModelDescription,
  { kind, where, orderBy, groupBy, columns, state }: SavedView,
  as: SavedViewOptions,
): SavedViewInput => ({ ...as, model: model.name, kind, where, orderBy, groupBy, columns, state });

/** Returns a saved view's search parameters, or null if filters cannot express its conditions. */
export function toRecordsView(model: ModelDescription, view: SavedView): RecordsView | null {
  if (view.state !== null)
    return { ...toViewState(parseRecordsView(view.state as SearchParams)), saved: view.id };
  const conditions = parseConditions(model, view.where as SearchParams | null);
  if (!conditions) return null;
  const cols = view.columns.filter((key) => findField(model, key));
  const [term] = (view.orderBy as { field: string; direction?: string }[] | null) ?? [];
  const sorted = term && findFieldByEnum(model, term.field);
  const order = sorted && `${term.direction === 'DESC' ? '-' : ''}${getFieldKey(sorted)}`;
  const [group] = (view.groupBy as { field: string }[] | null) ?? [];
  const grouped = group && findFieldByEnum(model, group.field);
  return {
    ...toViewState({
      ...conditions,
      view: (Object.keys(KINDS) as (keyof typeof KINDS)[]).find((item) => KINDS[item] === view.kind),
      order,
      group: grouped && getFieldKey(grouped)!,
      cols: cols.length > 0 ? cols : undefined,
    }),
    saved: view.id,
  };
}

const findFieldByEnum = ({ fields }: ModelDescription, name: string): FieldDescription | undefined =>
  fields.find((field) => getFieldKey(field) !== null && toEnumName(field) === name);

function parseConditions(
  model: ModelDescription,
  where: SearchParams | null,
): Pick<RecordsView, 'q' | 'where'> | null {
  const conditions =
    where === null ? [] : Object.keys(where).join() === 'and' ? (where.and as SearchParams[]) : [where];
  let q: string | undefined;
  const facets: Facet[] = [];
  for (const condition of conditions) {
    const [key, ...others] = Object.keys(condition);
    if (key === undefined || others.length > 0) return null;
    const test = condition[key] as SearchParams;
    if (key === 'displayName' && q === undefined && typeof test.contains === 'string') {
      q = test.contains;
      continue;
    }
    const field = model.fields.find(({ graphqlName, relationName, list }) =>
      list ? relationName === key : graphqlName === key,
    );
    const facet = field && parseFacet(field, test);
    if (!facet) return null;
    facets.push(facet);
  }
  return { q, where: facets.length > 0 ? facets : undefined };
}

function parseFacet(field: FieldDescription, test: SearchParams): Facet | null {
  const key = getFieldKey(field);
  if (key === null) return null;
  if (field.list) {
    const { some, none } = test as { some?: { id?: { eq?: unknown } }; none?: object };
    if (none) return Object.keys(none).length === 0 ? [key, 'empty', ''] : null;
    return some?.id?.eq === undefined ? null : [key, 'eq', String(some.id.eq)];
  }
  const [comparison, ...others] = Object.keys(test).filter((name) => !TEXT_OPTIONS.has(name));
  const value = test[comparison!];
  if (comparison === 'isNull') return value === true ? [key, 'empty', ''] : null;
  const isKnown =
    comparison === 'eq' || comparison === 'contains' || comparison === 'gte' || comparison === 'lte';
  if (!isKnown || others.length > 0 || value === null || typeof value === 'object') return null;
  const text = field.type === 'DATETIME' ? toDayString(new Date(String(value))) : String(value);
  return [key, comparison, text];
}

const TEXT_OPTIONS: ReadonlySet<string> = new Set(['ignoreCase', 'ignoreAccents']);

/**
 * True if the user may change and delete the view. Administrators may also change other users' shared views. Only
 * administrators may change the default for everyone.
 */
export function canEditView(
  { userId, isShared, isDefault }: SavedView,
  user: string | null,
  isAdministrator: boolean,
): boolean {
  if (isAdministrator) return userId === user || isShared;
  return userId === user && !(isShared && isDefault);
}

/** Returns a model's default view. The user's own default takes precedence over the shared one. */
export const findDefaultView = (views: readonly SavedView[], user: string | null): SavedView | undefined => {
  const defaults = views.filter(({ isDefault }) => isDefault);
  return (
    defaults.find(({ userId, isShared }) => !isShared && userId === user) ??
    defaults.find(({ isShared }) => isShared)
  );
};
