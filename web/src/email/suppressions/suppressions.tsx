import './suppressions.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../../graphql/client.ts';
import { useFresh } from '../../graphql/live.ts';
import { useRows } from '../../graphql/window.ts';
import { counted, formatInstant, formatNumber, formatWhen } from '../../i18n/format.ts';
import { useAct } from '../../shell/act.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Failed, Screen } from '../../shell/screen.tsx';
import { SearchField } from '../../shell/search-field.tsx';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/download.ts';
import { Empty } from '../../ui/empty.tsx';
import { Choice } from '../../ui/field.tsx';
import { ROW_HEIGHTS, useLook } from '../../ui/look.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { emailWords } from '../words.ts';
import { REASONS, type SuppressionsView } from './address.ts';
import {
  SuppressionStatisticsDocument,
  SuppressionsDocument,
  SuppressionsExportDocument,
  type SuppressionsQuery,
} from './generated.ts';
import { SuppressionDialog } from './suppression-dialog.tsx';
import { AddSuppressions } from './suppressions-add.tsx';
import { suppressionWords } from './words.ts';

type Entry = SuppressionsQuery['suppressions']['nodes'][number];

/** Addresses that nothing is sent to. */
export function Suppressions() {
  const { can } = useViewer();
  const view = useSearch({ from: '/email/suppressions' });
  const [isAdding, setAdding] = useState(false);
  const { isBusy, act } = useAct();
  const save = () =>
    act(async () => {
      const { suppressionsExport } = await ask(SuppressionsExportDocument, view);
      saveFile('suppressions.csv', suppressionsExport);
    });
  return (
    <Screen
      title={suppressionWords.title}
      needs="suppressions"
      isFull
      actions={
        <div className="buttons">
          {can.has('suppressionsExport') && (
            <Button isBusy={isBusy} onClick={save}>
              {suppressionWords.export}
            </Button>
          )}
          {can.has('suppressionsAdd') && (
            <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
              {suppressionWords.add}
            </Button>
          )}
        </div>
      }
    >
      <List view={view} />
      {isAdding && <AddSuppressions onClose={() => setAdding(false)} />}
    </Screen>
  );
}

function List({ view }: { view: SuppressionsView }) {
  const navigate = useNavigate({ from: '/email/suppressions' });
  const { can } = useViewer();
  const { density } = useLook();
  const { total, refusal, row, look, reload } = useRows(
    SuppressionsDocument,
    { q: view.q, reason: view.reason && [view.reason] },
    ({ suppressions }) => suppressions,
  );
  const [active, setActive] = useState(0);
  const [opened, setOpened] = useState<Entry>();
  useFresh('svc.suppression', reload);
  const show = (changes: SuppressionsView) => {
    setActive(0);
    void navigate({ search: (old) => ({ ...old, ...changes }) });
  };
  const open = (index: number) => {
    setActive(index);
    setOpened(row(index));
  };
  const isFiltered = view.q !== undefined || view.reason !== undefined;
  return (
    <div className="suppressions">
      <div className="filters">
        <SearchField
          label={emailWords.search}
          hint={suppressionWords.searchHint}
          value={view.q}
          onSearch={(q) => show({ q })}
        />
        <Choice
          label={suppressionWords.reason}
          value={view.reason ?? ''}
          options={[
            ['', emailWords.all],
            ...REASONS.map((each) => [each, suppressionWords.reasons[each]] as const),
          ]}
          onChange={({ target }) => show({ reason: REASONS.find((each) => each === target.value) })}
        />
      </div>
      {can.has('suppressionStatistics') && <Figures />}
      {refusal ? (
        <Failed refusal={refusal} onAgain={reload} />
      ) : (
        <p className="count quiet small" role="status">
          {total === null ? shellWords.loading : counted(total, suppressionWords.count)}
        </p>
      )}
      {!refusal && total === 0 && (
        <Empty title={isFiltered ? suppressionWords.noneFits : suppressionWords.none}>
          {isFiltered ? (
            <Button onClick={() => show({ q: undefined, reason: undefined })}>
              {suppressionWords.showAll}
            </Button>
          ) : (
            <p>{suppressionWords.noneText}</p>
          )}
        </Empty>
      )}
      {!refusal && total !== null && total > 0 && (
        <VirtualList
          label={suppressionWords.title}
          count={total}
          rowHeight={ROW_HEIGHTS[density]}
          active={active}
          selected={-1}
          onActive={setActive}
          onOpen={open}
          onRange={look}
          renderRow={(index) => {
            const entry = row(index);
            return entry && <Row entry={entry} />;
          }}
        />
      )}
      {opened && <SuppressionDialog entry={opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

/** How many addresses are on the list for which reason, whatever is filtered. */
function Figures() {
  const { data, reload } = useAnswer(SuppressionStatisticsDocument, {});
  useFresh('svc.suppression', reload);
  const figures = data?.suppressionStatistics;
  if (!figures || figures.total === 0) return null;
  return (
    <dl className="figures">
      {REASONS.map((reason) => (
        <div key={reason}>
          <dt>{suppressionWords.reasons[reason]}</dt>
          <dd>{formatNumber(figures[FIGURES[reason]])}</dd>
        </div>
      ))}
      <div>
        <dt>{suppressionWords.total}</dt>
        <dd>{formatNumber(figures.total)}</dd>
      </div>
    </dl>
  );
}

const FIGURES = {
  HARD_BOUNCE: 'hardBounce',
  SOFT_BOUNCE: 'softBounce',
  COMPLAINT: 'complaint',
  MANUAL: 'manual',
} as const;

const Row = ({ entry: { email, reason, createdAt } }: { entry: Entry }) => (
  <div className="suppression-row">
    <span>{email}</span>
    <span className="quiet">{suppressionWords.reasons[reason]}</span>
    <time className="quiet small" dateTime={createdAt} title={formatInstant(createdAt)}>
      {formatWhen(createdAt)}
    </time>
  </div>
);
