import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { formatNumber } from '../../i18n/format.ts';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Icon } from '../../ui/icon.tsx';
import { type RecordsView, toRecordsVariables } from '../address.ts';
import { buildListQuery, type ListResult } from '../document.ts';
import type { ModelDescription } from '../model.ts';
import { viewStrings } from '../view-strings.ts';
import { findAdjacent } from './find-adjacent.ts';

interface RecordPagerProps {
  model: ModelDescription;
  id: string;
}

/** Shows a record's position in the list that it was opened from, with links to the previous and next record. */
export function RecordPager({ model, id }: RecordPagerProps) {
  const { at, ...view } = useSearch({ from: '/records/$model/$id' });
  return at === undefined || !model.listField ? null : (
    <PagerLinks model={model} id={id} at={at} view={view} />
  );
}

function PagerLinks({ model, id, at, view }: RecordPagerProps & { at: number; view: RecordsView }) {
  const offset = Math.max(0, at - 1);
  const variables = { ...toRecordsVariables(model, view), first: 3, offset };
  const { data } = useGraphqlQuery<ListResult, object>(buildListQuery(model, [])!, variables);
  const navigate = useNavigate();
  const adjacent = data && findAdjacent(data.list.nodes, offset, id);
  const openRecord = (to: string | null | undefined, index: number) => {
    if (!to) return;
    const params = { model: model.name, id: to };
    void navigate({ to: '/records/$model/$id', params, search: { ...view, at: index } });
  };
  useShortcuts([
    { keys: 'j', label: viewStrings.nextRecord, run: () => openRecord(adjacent?.next, at + 1) },
    { keys: 'k', label: viewStrings.previousRecord, run: () => openRecord(adjacent?.previous, at - 1) },
  ]);
  if (!adjacent) return null;
  const renderStep = (to: string | null, index: number, label: string, className: string) =>
    to ? (
      <Link
        to="/records/$model/$id"
        params={{ model: model.name, id: to }}
        search={{ ...view, at: index }}
        className={`button ghost square ${className}`}
        aria-label={label}
        title={label}
      >
        <Icon name="back" />
      </Link>
    ) : (
      <span className={`button ghost square ${className}`} aria-hidden="true">
        <Icon name="back" />
      </span>
    );
  return (
    <nav className="neighbors" aria-label={viewStrings.positionInList}>
      <span className="small quiet figures">
        {viewStrings.position(formatNumber(adjacent.at + 1), formatNumber(data!.list.totalCount))}
      </span>
      {renderStep(adjacent.previous, adjacent.at - 1, viewStrings.previousRecord, 'before')}
      {renderStep(adjacent.next, adjacent.at + 1, viewStrings.nextRecord, 'after')}
    </nav>
  );
}
