import './calendar.css';
import { useState } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { LoadError } from '../../shell/screen.tsx';
import { useAction } from '../../shell/use-action.ts';
import { useLiveQuery } from '../../shell/use-graphql-query.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/form/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { type RecordListProps, toRecordsVariables } from '../address.ts';
import { buildListQuery, getRights, type ListResult, type RecordValues, toEnumName } from '../document.ts';
import { writeRecord } from '../form/save-record.ts';
import { getFieldKey, type ModelDescription } from '../model.ts';
import { viewStrings } from '../view-strings.ts';
import { AgendaList } from './agenda.tsx';
import { getFirstWeekday, getVisibleDays, SPANS, type Span, shiftSpan, toDayString } from './days.ts';
import {
  buildDaysFilter,
  type CalendarEntry,
  canMoveEntries,
  computeMovedValues,
  type DateFields,
  findDateFields,
  getDateFields,
  toCalendarEntry,
} from './entries.ts';
import { EntryDialog } from './entry-dialog.tsx';
import { MonthGrid } from './month.tsx';
import { NewEntryDialog } from './new-entry.tsx';
import { formatTitle } from './titles.ts';
import { WeekGrid } from './week.tsx';

/** The server's page size limit. */
const MAX_ENTRIES = 500;

export function CalendarView(props: RecordListProps) {
  const dates = findDateFields(props.model, props.view.on);
  return dates ? (
    <Calendar {...props} dates={dates} />
  ) : (
    <EmptyState title={viewStrings.noDates} text={viewStrings.noDatesText} />
  );
}

const isNarrowScreen = (): boolean => matchMedia('(max-width: 900px)').matches;

type CalendarProps = RecordListProps & { dates: DateFields };

function Calendar({ model, view, show, dates }: CalendarProps) {
  const span: Span = view.span ?? (isNarrowScreen() ? 'agenda' : 'month');
  const date = view.date ?? toDayString(new Date());
  const days = getVisibleDays(span, date, getFirstWeekday());
  const { data, refusal, reload } = useLiveQuery<ListResult, object>(
    ...buildCalendarQuery(model, view, dates, days),
    model.name,
  );
  const [openEntry, setOpenEntry] = useState<CalendarEntry | null>(null);
  const [creating, setCreating] = useState<Date | null>(null);
  const rights = getRights(model);
  const { entries, move } = useEntryMoves(model, dates, data?.list.nodes ?? []);
  const gridProps = {
    days,
    entries,
    month: date.slice(0, 7),
    open: setOpenEntry,
    create: rights.create ? setCreating : undefined,
    move: rights.update && canMoveEntries(dates) ? move : undefined,
    toDay: (day: string) => show({ date: day, span: 'day' }),
  };
  const Grid = { month: MonthGrid, week: WeekGrid, day: WeekGrid, agenda: AgendaList }[span];
  return (
    <section className="record-view" aria-label={viewStrings.calendar}>
      <CalendarHead model={model} dates={dates} span={span} date={date} days={days} show={show} />
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {data && data.list.totalCount > MAX_ENTRIES && (
        <p className="calendar-note small" role="status">
          {viewStrings.tooMany(formatNumber(MAX_ENTRIES))}
        </p>
      )}
      {!refusal && <Grid {...gridProps} />}
      {dates.on.type === 'DATETIME' && (
        <p className="calendar-note quiet small">
          {viewStrings.timeZone(Intl.DateTimeFormat().resolvedOptions().timeZone)}
        </p>
      )}
      {openEntry && (
        <EntryDialog
          model={model}
          dates={dates}
          entry={openEntry}
          move={gridProps.move}
          onClose={() => setOpenEntry(null)}
        />
      )}
      {creating && (
        <NewEntryDialog
          model={model}
          dates={dates}
          start={creating}
          onClose={() => setCreating(null)}
          onCreated={reload}
        />
      )}
    </section>
  );
}

interface CalendarHeadProps extends Omit<CalendarProps, 'view'> {
  span: Span;
  date: string;
  days: string[];
}

function CalendarHead({ model, dates, span, date, days, show }: CalendarHeadProps) {
  const go = (delta: 1 | -1) => show({ date: shiftSpan(span, date, delta) });
  const { keys } = viewStrings;
  useShortcuts([
    { keys: 't', label: keys.today, run: () => show({ date: undefined }) },
    { keys: 'n', label: keys.next, run: () => go(1) },
    { keys: 'p', label: keys.previous, run: () => go(-1) },
    { keys: 'm', label: keys.month, run: () => show({ span: 'month' }) },
    { keys: 'w', label: keys.week, run: () => show({ span: 'week' }) },
    { keys: 'd', label: keys.day, run: () => show({ span: 'day' }) },
  ]);
  return (
    <header className="record-view-head calendar-head">
      <div className="calendar-go">
        <IconButton icon="back" label={viewStrings.previous} onClick={() => go(-1)} />
        <Button onClick={() => show({ date: undefined })}>{viewStrings.today}</Button>
        <IconButton icon="back" label={viewStrings.next} onClick={() => go(1)} />
      </div>
      <h2 aria-live="polite">{formatTitle(span, days, date)}</h2>
      <span className="grow" />
      <Select
        label={viewStrings.dateField}
        value={getFieldKey(dates.on)!}
        options={getDateFields(model).map((field) => [getFieldKey(field)!, field.label] as const)}
        onChange={({ target }) => show({ on: target.value })}
      />
      <Select
        label={viewStrings.show}
        value={span}
        options={SPANS.map((span) => [span, viewStrings.spans[span]] as const)}
        onChange={({ target }) => show({ span: SPANS.find((span) => span === target.value) })}
      />
    </header>
  );
}

function buildCalendarQuery(
  model: ModelDescription,
  view: RecordListProps['view'],
  dates: DateFields,
  days: string[],
): [document: string, variables: object] {
  const { where, withArchived } = toRecordsVariables(model, view);
  const { on, until, whole } = dates;
  const fields = [on, until, whole?.isIt, whole?.first, whole?.last].flatMap((field) => field ?? []);
  const variables = {
    first: MAX_ENTRIES,
    offset: 0,
    where: { and: [...(where ? [where] : []), ...buildDaysFilter(dates, days)] },
    orderBy: on.sortable ? [{ field: toEnumName(on), direction: 'ASC' }] : undefined,
    withArchived,
  };
  return [buildListQuery(model, fields)!, variables];
}

/** Returns the entries, with optimistic positions while moves are being saved. Reverts a move that fails. */
function useEntryMoves(model: ModelDescription, dates: DateFields, records: RecordValues[]) {
  const [moving, setMoving] = useState<Record<string, object>>({});
  const { act } = useAction();
  const { on, until, whole } = dates;
  const entries = records.flatMap(
    (record) => toCalendarEntry(dates, { ...record, ...moving[record.id] }) ?? [],
  );
  /** Resolves to true if the server accepted the change. */
  const write = async (id: string, input: object) => {
    let isAccepted = false;
    await act(async () => {
      setMoving((old) => ({ ...old, [id]: input }));
      try {
        const fields = [on, until, whole?.first, whole?.last].flatMap((field) => field ?? []);
        await writeRecord(model, fields, { id, input });
        isAccepted = true;
      } finally {
        setMoving(({ [id]: _gone, ...others }) => others);
      }
    });
    return isAccepted;
  };
  const move = async (entry: CalendarEntry, start: Date) => {
    const values = computeMovedValues(dates, entry, start);
    const before = Object.fromEntries(Object.keys(values).map((key) => [key, entry.record[key]]));
    if (await write(entry.id, values))
      showToast(viewStrings.moved, { label: viewStrings.undo, run: () => void write(entry.id, before) });
  };
  return { entries, move };
}
