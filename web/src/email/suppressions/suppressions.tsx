import './suppressions.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { runQuery } from '../../graphql/client.ts';
import { useReloadOnChange } from '../../graphql/live.ts';
import { useRows } from '../../graphql/use-rows.ts';
import { formatCount, formatInstant, formatNumber, formatWhen } from '../../i18n/format.ts';
import { LoadError, Screen } from '../../shell/screen.tsx';
import { SearchField } from '../../shell/search-field.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { useAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/download.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { ROW_HEIGHTS, useViewPreferences } from '../../ui/view-preferences.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { emailStrings } from '../strings.ts';
import { AddSuppressions } from './add-suppressions.tsx';
import { SUPPRESSION_REASONS, type SuppressionsView } from './address.ts';
import {
  SuppressionStatisticsDocument,
  SuppressionsDocument,
  SuppressionsExportDocument,
  type SuppressionsQuery,
} from './generated.ts';
import { suppressionStrings } from './strings.ts';
import { SuppressionDialog } from './suppression-dialog.tsx';

type Entry = SuppressionsQuery['suppressions']['nodes'][number];

export function Suppressions() {
  const { can } = useViewer();
  const view = useSearch({ from: '/email/suppressions' });
  const [isAdding, setIsAdding] = useState(false);
  const { isBusy, act } = useAction();
  const save = () =>
    act(async () => {
      const { suppressionsExport } = await runQuery(SuppressionsExportDocument, view);
      saveFile('suppressions.csv', suppressionsExport);
    });
  return (
    <Screen
      title={suppressionStrings.title}
      needs="suppressions"
      isFull
      actions={
        <div className="buttons">
          {can.has('suppressionsExport') && (
            <Button isBusy={isBusy} onClick={save}>
              {suppressionStrings.export}
            </Button>
          )}
          {can.has('suppressionsAdd') && (
            <Button look="primary" icon="plus" onClick={() => setIsAdding(true)}>
              {suppressionStrings.add}
            </Button>
          )}
        </div>
      }
    >
      <SuppressionList view={view} />
      {isAdding && <AddSuppressions onClose={() => setIsAdding(false)} />}
    </Screen>
  );
}

function SuppressionList({ view }: { view: SuppressionsView }) {
  const navigate = useNavigate({ from: '/email/suppressions' });
  const { can } = useViewer();
  const { density } = useViewPreferences();
  const { total, refusal, row, look, reload } = useRows(
    SuppressionsDocument,
    { q: view.q, reason: view.reason && [view.reason] },
    ({ suppressions }) => suppressions,
  );
  const [active, setActive] = useState(0);
  const [openEntry, setOpenEntry] = useState<Entry>();
  useReloadOnChange('svc.suppression', reload);
  const show = (changes: SuppressionsView) => {
    setActive(0);
    void navigate({ search: (old) => ({ ...old, ...changes }) });
  };
  const open = (index: number) => {
    setActive(index);
    setOpenEntry(row(index));
  };
  const isFiltered = view.q !== undefined || view.reason !== undefined;
  return (
    <div className="suppressions">
      <div className="filters">
        <SearchField
          label={emailStrings.search}
          hint={suppressionStrings.searchHint}
          value={view.q}
          onSearch={(q) => show({ q })}
        />
        <Select
          label={suppressionStrings.reason}
          value={view.reason ?? ''}
          options={[
            ['', emailStrings.all],
            ...SUPPRESSION_REASONS.map((reason) => [reason, suppressionStrings.reasons[reason]] as const),
          ]}
          onChange={({ target }) =>
            show({ reason: SUPPRESSION_REASONS.find((reason) => reason === target.value) })
          }
        />
      </div>
      {can.has('suppressionStatistics') && <SuppressionCounts />}
      {refusal ? (
        <LoadError refusal={refusal} onAgain={reload} />
      ) : (
        <p className="count quiet small" role="status">
          {total === null ? shellStrings.loading : formatCount(total, suppressionStrings.count)}
        </p>
      )}
      {!refusal && total === 0 && (
        <EmptyState title={isFiltered ? suppressionStrings.noMatches : suppressionStrings.none}>
          {isFiltered ? (
            <Button onClick={() => show({ q: undefined, reason: undefined })}>
              {suppressionStrings.showAll}
            </Button>
          ) : (
            <p>{suppressionStrings.noneText}</p>
          )}
        </EmptyState>
      )}
      {!refusal && total !== null && total > 0 && (
        <VirtualList
          label={suppressionStrings.title}
          count={total}
          rowHeight={ROW_HEIGHTS[density]}
          active={active}
          selected={-1}
          onActive={setActive}
          onOpen={open}
          onRange={look}
          renderRow={(index) => {
            const entry = row(index);
            return entry && <SuppressionRow entry={entry} />;
          }}
        />
      )}
      {openEntry && <SuppressionDialog entry={openEntry} onClose={() => setOpenEntry(undefined)} />}
    </div>
  );
}

/** Number of suppressions by reason, independent of the filters. */
function SuppressionCounts() {
  const { data, reload } = useGraphqlQuery(SuppressionStatisticsDocument, {});
  useReloadOnChange('svc.suppression', reload);
  const figures = data?.suppressionStatistics;
  if (!figures || figures.total === 0) return null;
  return (
    <dl className="figures">
      {SUPPRESSION_REASONS.map((reason) => (
        <div key={reason}>
          <dt>{suppressionStrings.reasons[reason]}</dt>
          <dd>{formatNumber(figures[COUNT_FIELDS[reason]])}</dd>
        </div>
      ))}
      <div>
        <dt>{suppressionStrings.total}</dt>
        <dd>{formatNumber(figures.total)}</dd>
      </div>
    </dl>
  );
}

const COUNT_FIELDS = {
  HARD_BOUNCE: 'hardBounce',
  SOFT_BOUNCE: 'softBounce',
  COMPLAINT: 'complaint',
  MANUAL: 'manual',
} as const;

const SuppressionRow = ({ entry: { email, reason, createdAt } }: { entry: Entry }) => (
  <div className="suppression-row">
    <span>{email}</span>
    <span className="quiet">{suppressionStrings.reasons[reason]}</span>
    <time className="quiet small" dateTime={createdAt} title={formatInstant(createdAt)}>
      {formatWhen(createdAt)}
    </time>
  </div>
);
