import './suppressions.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { runQuery } from '../../graphql/client.ts';
import { useLiveRows } from '../../graphql/use-rows.ts';
import { formatCount, formatNumber } from '../../i18n/format.ts';
import { ActionButton, DialogOpener } from '../../shell/action-buttons.tsx';
import { LoadedRows } from '../../shell/rows/loaded-rows.tsx';
import { Screen } from '../../shell/screen.tsx';
import { SearchField } from '../../shell/search-field.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { useLiveQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/download.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { Timestamp } from '../../ui/layout/timestamp.tsx';
import { AddSuppressionsDialog } from './add-suppressions.tsx';
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
  const view = useSearch({ from: '/email/suppressions' });
  const save = async () => {
    const { suppressionsExport } = await runQuery(SuppressionsExportDocument, view);
    saveFile('suppressions.csv', suppressionsExport);
  };
  return (
    <Screen
      title={suppressionStrings.title}
      isFull
      actions={
        <div className="buttons">
          <ActionButton needs="suppressionsExport" onAct={save}>
            {suppressionStrings.export}
          </ActionButton>
          <DialogOpener needs="suppressionsAdd" look="primary" icon="plus" label={suppressionStrings.add}>
            {(onClose) => <AddSuppressionsDialog onClose={onClose} />}
          </DialogOpener>
        </div>
      }
    >
      <SuppressionList view={view} />
    </Screen>
  );
}

function SuppressionList({ view }: { view: SuppressionsView }) {
  const navigate = useNavigate({ from: '/email/suppressions' });
  const { can } = useViewer();
  const rows = useLiveRows(
    SuppressionsDocument,
    { q: view.q, reason: view.reason && [view.reason] },
    ({ suppressions }) => suppressions,
    'svc.suppression',
  );
  const [active, setActive] = useState(0);
  const [openEntry, setOpenEntry] = useState<Entry>();
  const show = (changes: SuppressionsView) => {
    setActive(0);
    void navigate({ search: (old) => ({ ...old, ...changes }) });
  };
  const open = (index: number) => {
    setActive(index);
    setOpenEntry(rows.row(index));
  };
  return (
    <div className="split">
      <div className="split-list suppressions">
        <SuppressionFilters view={view} show={show} />
        {can.has('suppressionStatistics') && <SuppressionCounts />}
        {!rows.refusal && (
          <p className="list-count quiet small" role="status">
            {rows.total === null ? shellStrings.loading : formatCount(rows.total, suppressionStrings.count)}
          </p>
        )}
        <LoadedRows
          label={suppressionStrings.title}
          rows={rows}
          active={active}
          onActive={setActive}
          onOpen={open}
          none={<NoSuppressions view={view} show={show} />}
          renderRow={(entry) => <SuppressionRow entry={entry} />}
        />
      </div>
      {openEntry && <SuppressionDialog entry={openEntry} onClose={() => setOpenEntry(undefined)} />}
    </div>
  );
}

interface SuppressionFiltersProps {
  view: SuppressionsView;
  show(changes: SuppressionsView): void;
}

const SuppressionFilters = ({ view, show }: SuppressionFiltersProps) => (
  <div className="list-filters">
    <SearchField hint={suppressionStrings.searchHint} value={view.q} onSearch={(q) => show({ q })} />
    <FilterSelect
      label={suppressionStrings.reason}
      choices={SUPPRESSION_REASONS}
      labels={suppressionStrings.reasons}
      value={view.reason}
      onChoose={(reason) => show({ reason })}
    />
  </div>
);

const NoSuppressions = ({ view, show }: SuppressionFiltersProps) =>
  view.q === undefined && view.reason === undefined ? (
    <EmptyState title={suppressionStrings.none} text={suppressionStrings.noneText} />
  ) : (
    <EmptyState title={suppressionStrings.noMatches}>
      <Button onClick={() => show({ q: undefined, reason: undefined })}>{suppressionStrings.showAll}</Button>
    </EmptyState>
  );

/** Counts suppressions by reason, independently of the filters. */
function SuppressionCounts() {
  const { data } = useLiveQuery(SuppressionStatisticsDocument, {}, 'svc.suppression');
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
  <div className="list-row suppression-row">
    <span>{email}</span>
    <span className="quiet">{suppressionStrings.reasons[reason]}</span>
    <Timestamp at={createdAt} />
  </div>
);
