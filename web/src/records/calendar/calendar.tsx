import './calendar.css';
import { useState } from 'react';
import { change } from '../../graphql/client.ts';
import { useFresh } from '../../graphql/live.ts';
import { formatNumber } from '../../i18n/format.ts';
import { useAct } from '../../shell/act.ts';
import { useAnswer } from '../../shell/answer.ts';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { Failed } from '../../shell/screen.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Choice } from '../../ui/field.tsx';
import { say } from '../../ui/toasts.tsx';
import { type ListProps, recordsAsked } from '../address.ts';
import {
  enumNameOf,
  type ListAnswer,
  listDocument,
  type RecordValues,
  rightsOf,
  writeDocument,
} from '../document.ts';
import { type Described, keyOf } from '../model.ts';
import { viewWords } from '../view-words.ts';
import { AgendaList } from './agenda.tsx';
import { dayOf, daysShown, firstWeekday, SPANS, type Span, spanLater } from './days.ts';
import {
  type CalendarEntry,
  canMove,
  type DateFields,
  dateFields,
  datesOf,
  entryOf,
  inDays,
  movedValues,
} from './entries.ts';
import { EntryDialog } from './entry-dialog.tsx';
import { MonthGrid } from './month.tsx';
import { NewEntry } from './new-entry.tsx';
import { titleOf } from './titles.ts';
import { WeekGrid } from './week.tsx';

/** Records that a calendar shows at once; one answer of the server holds no more. */
const MOST = 500;

/** Records by when they are. */
export function CalendarView(props: ListProps) {
  const dates = datesOf(props.model, props.view.on);
  return dates ? (
    <Calendar {...props} dates={dates} />
  ) : (
    <Empty title={viewWords.noDates}>
      <p>{viewWords.noDatesText}</p>
    </Empty>
  );
}

const isNarrow = (): boolean => matchMedia('(max-width: 900px)').matches;

function Calendar({ model, view, show, dates }: ListProps & { dates: DateFields }) {
  const span: Span = view.span ?? (isNarrow() ? 'agenda' : 'month');
  const date = view.date ?? dayOf(new Date());
  const days = daysShown(span, date, firstWeekday());
  const { data, refusal, reload } = useAnswer<ListAnswer, object>(...question(model, view, dates, days));
  useFresh(model.name, reload);
  const [opened, setOpened] = useState<CalendarEntry | null>(null);
  const [creating, setCreating] = useState<Date | null>(null);
  const rights = rightsOf(model);
  const { entries, move } = useMoves(model, dates, data?.list.nodes ?? []);
  const go = (by: 1 | -1) => show({ date: spanLater(span, date, by) });
  const { keys } = viewWords;
  useShortcuts([
    { keys: 't', label: keys.today, run: () => show({ date: undefined }) },
    { keys: 'n', label: keys.next, run: () => go(1) },
    { keys: 'p', label: keys.previous, run: () => go(-1) },
    { keys: 'm', label: keys.month, run: () => show({ span: 'month' }) },
    { keys: 'w', label: keys.week, run: () => show({ span: 'week' }) },
    { keys: 'd', label: keys.day, run: () => show({ span: 'day' }) },
  ]);
  const shown = {
    days,
    entries,
    month: date.slice(0, 7),
    open: setOpened,
    create: rights.create ? setCreating : undefined,
    move: rights.update && canMove(dates) ? move : undefined,
    toDay: (day: string) => show({ date: day, span: 'day' }),
  };
  const Grid = { month: MonthGrid, week: WeekGrid, day: WeekGrid, agenda: AgendaList }[span];
  return (
    <section className="calendar" aria-label={viewWords.calendar}>
      <header className="calendar-head">
        <div className="calendar-go">
          <IconButton icon="back" label={viewWords.previous} onClick={() => go(-1)} />
          <Button onClick={() => show({ date: undefined })}>{viewWords.today}</Button>
          <IconButton icon="back" label={viewWords.next} onClick={() => go(1)} />
        </div>
        <h2 aria-live="polite">{titleOf(span, days, date)}</h2>
        <span className="grow" />
        <Choice
          label={viewWords.on}
          value={keyOf(dates.on)!}
          options={dateFields(model).map((field) => [keyOf(field)!, field.label] as const)}
          onChange={({ target }) => show({ on: target.value })}
        />
        <Choice
          label={viewWords.span}
          value={span}
          options={SPANS.map((each) => [each, viewWords.spans[each]] as const)}
          onChange={({ target }) => show({ span: SPANS.find((each) => each === target.value) })}
        />
      </header>
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {data && data.list.totalCount > MOST && (
        <p className="calendar-note small" role="status">
          {viewWords.tooMany(formatNumber(MOST))}
        </p>
      )}
      {!refusal && <Grid {...shown} />}
      {dates.on.type === 'DATETIME' && (
        <p className="calendar-note quiet small">
          {viewWords.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}
        </p>
      )}
      {opened && (
        <EntryDialog
          model={model}
          dates={dates}
          entry={opened}
          move={shown.move}
          onClose={() => setOpened(null)}
        />
      )}
      {creating && (
        <NewEntry
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

/** Only what is in the days that are shown, up to what one answer holds. Pure. */
function question(
  model: Described,
  view: ListProps['view'],
  dates: DateFields,
  days: string[],
): [document: string, variables: object] {
  const { where, withArchived } = recordsAsked(model, view);
  const { on, until, whole } = dates;
  const fields = [on, until, whole?.isIt, whole?.first, whole?.last].flatMap((field) => field ?? []);
  const variables = {
    first: MOST,
    offset: 0,
    where: { and: [...(where ? [where] : []), ...inDays(dates, days)] },
    orderBy: on.sortable ? [{ field: enumNameOf(on), direction: 'ASC' }] : undefined,
    withArchived,
  };
  return [listDocument(model, fields)!, variables];
}

/** Entries, with those that are being moved where they are going to be; a refusal puts them back. */
function useMoves(model: Described, dates: DateFields, records: RecordValues[]) {
  const [moving, setMoving] = useState<Record<string, object>>({});
  const { act } = useAct();
  const { on, until, whole } = dates;
  const entries = records.flatMap((record) => entryOf(dates, { ...record, ...moving[record.id] }) ?? []);
  /** Whether the server took it. */
  const write = async (id: string, input: object) => {
    let isTaken = false;
    await act(async () => {
      setMoving((old) => ({ ...old, [id]: input }));
      try {
        const fields = [on, until, whole?.first, whole?.last].flatMap((field) => field ?? []);
        await change(writeDocument(model, fields), { where: { id: { eq: id } }, input, count: 1 });
        isTaken = true;
      } finally {
        setMoving(({ [id]: _gone, ...others }) => others);
      }
    });
    return isTaken;
  };
  const move = async (entry: CalendarEntry, start: Date) => {
    const values = movedValues(dates, entry, start);
    const before = Object.fromEntries(Object.keys(values).map((key) => [key, entry.record[key]]));
    if (await write(entry.id, values))
      say(viewWords.moved, { label: viewWords.undo, run: () => void write(entry.id, before) });
  };
  return { entries, move };
}
