import { type Facet, orderNamed, type RecordsView, recordsAsked, recordsView } from '../address.ts';
import { dayOf } from '../calendar/days.ts';
import { enumNameOf } from '../document.ts';
import { type Described, type DescribedField, fieldNamed, keyOf } from '../model.ts';
import type { RecordsSavedQuery, RecordsSavedSaveMutationVariables } from './generated.ts';

export type SavedView = RecordsSavedQuery['savedViews']['nodes'][number];
export type SavedViewInput = RecordsSavedSaveMutationVariables['input'];

/** How it is called, and for whom it is. */
export interface SavedAs {
  name: string;
  isShared: boolean;
  isDefault: boolean;
}

type Given = Record<string, unknown>;

/** What an address shows, but for which saved view it has come from. Pure. */
export const shownOf = ({ saved: _saved, ...view }: RecordsView): RecordsView =>
  Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined)) as RecordsView;

/** Whether an address shows something of its own. Pure. */
export const isPlain = (view: RecordsView): boolean => Object.keys(shownOf(view)).length === 0;

/** Whether two addresses show the same. Pure. */
export function isSame(one: RecordsView, other: RecordsView): boolean {
  const text = (view: RecordsView) =>
    JSON.stringify(Object.entries(shownOf(view)).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(one) === text(other);
}

const KINDS = { kanban: 'KANBAN', calendar: 'CALENDAR', pivot: 'PIVOT' } as const;

/**
 * A view as it is saved: what other clients understand of it, and the address as this one has it. Pure.
 * @param columns those that are shown, even if the address does not name them
 */
export function savedInput(
  model: Described,
  view: RecordsView,
  columns: string[],
  { name, isShared, isDefault }: SavedAs,
): SavedViewInput {
  const { where, orderBy } = recordsAsked(model, view);
  const group = view.group === undefined ? undefined : fieldNamed(model, view.group);
  return {
    name,
    isShared,
    isDefault,
    model: model.name,
    kind: view.view ? KINDS[view.view] : 'LIST',
    where: where ?? null,
    orderBy: orderBy ?? null,
    groupBy: group ? [{ field: enumNameOf(group) }] : null,
    columns,
    state: shownOf(view),
  };
}

/** The same view under another name or for others. Pure. */
export const renamedInput = (
  model: Described,
  { kind, where, orderBy, groupBy, columns, state }: SavedView,
  as: SavedAs,
): SavedViewInput => ({ ...as, model: model.name, kind, where, orderBy, groupBy, columns, state });

/** What a saved view shows; null where its conditions are of a kind that no address holds. Pure. */
export function viewOf(model: Described, view: SavedView): RecordsView | null {
  if (view.state !== null) return { ...shownOf(recordsView(view.state as Given)), saved: view.id };
  const conditions = conditionsOf(model, view.where as Given | null);
  if (!conditions) return null;
  const cols = view.columns.filter((key) => fieldNamed(model, key));
  const [term] = (view.orderBy as { field: string; direction?: string }[] | null) ?? [];
  const sorted = term && named(model, term.field);
  const order = sorted && `${term.direction === 'DESC' ? '-' : ''}${keyOf(sorted)}`;
  const [group] = (view.groupBy as { field: string }[] | null) ?? [];
  const grouped = group && named(model, group.field);
  return {
    ...shownOf({
      ...conditions,
      view: (Object.keys(KINDS) as (keyof typeof KINDS)[]).find((each) => KINDS[each] === view.kind),
      order: order && orderNamed(model, order).field ? order : undefined,
      group: grouped ? keyOf(grouped)! : undefined,
      cols: cols.length > 0 ? cols : undefined,
    }),
    saved: view.id,
  };
}

const named = ({ fields }: Described, name: string): DescribedField | undefined =>
  fields.find((field) => keyOf(field) !== null && enumNameOf(field) === name);

/** Conditions of a list as an address has them. Pure. */
function conditionsOf(model: Described, where: Given | null): Pick<RecordsView, 'q' | 'where'> | null {
  const conditions =
    where === null ? [] : Object.keys(where).join() === 'and' ? (where.and as Given[]) : [where];
  let q: string | undefined;
  const facets: Facet[] = [];
  for (const condition of conditions) {
    const [key, ...others] = Object.keys(condition);
    if (key === undefined || others.length > 0) return null;
    const test = condition[key] as Given;
    if (key === 'displayName' && q === undefined && typeof test.contains === 'string') {
      q = test.contains;
      continue;
    }
    const field = model.fields.find(({ graphqlName, relationName, list }) =>
      list ? relationName === key : graphqlName === key,
    );
    const facet = field && facetOf(field, test);
    if (!facet) return null;
    facets.push(facet);
  }
  return { q, where: facets.length > 0 ? facets : undefined };
}

function facetOf(field: DescribedField, test: Given): Facet | null {
  const key = keyOf(field);
  if (key === null) return null;
  if (field.list) {
    const { some, none } = test as { some?: { id?: { eq?: unknown } }; none?: object };
    if (none) return Object.keys(none).length === 0 ? [key, 'empty', ''] : null;
    return some?.id?.eq === undefined ? null : [key, 'eq', String(some.id.eq)];
  }
  const [comparison, ...others] = Object.keys(test).filter((name) => name !== 'ignoreCase');
  const value = test[comparison!];
  if (comparison === 'isNull') return value === true ? [key, 'empty', ''] : null;
  const isKnown =
    comparison === 'eq' || comparison === 'contains' || comparison === 'gte' || comparison === 'lte';
  if (!isKnown || others.length > 0 || value === null || typeof value === 'object') return null;
  const text = field.type === 'DATETIME' ? dayOf(new Date(String(value))) : String(value);
  return [key, comparison, text];
}

/** The view that lists of a model begin with: one's own before that of all. Pure. */
export const firstOf = (views: readonly SavedView[], user: string | null): SavedView | undefined => {
  const defaults = views.filter(({ isDefault }) => isDefault);
  return (
    defaults.find(({ userId, isShared }) => !isShared && userId === user) ??
    defaults.find(({ isShared }) => isShared)
  );
};
