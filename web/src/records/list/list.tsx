import './list.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type CSSProperties, type FormEvent, lazy, Suspense, useCallback, useEffect, useRef } from 'react';
import { useFresh } from '../../graphql/live.ts';
import { useRows } from '../../graphql/window.ts';
import { counted } from '../../i18n/format.ts';
import { useRowKeys } from '../../shell/keys/row-keys.ts';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { Failed, Screen } from '../../shell/screen.tsx';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field, Tick } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ROW_HEIGHTS, useLook } from '../../ui/look.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { type ListProps, orderNamed, type RecordsView, recordsAsked } from '../address.ts';
import { ChosenBar } from '../bulk/chosen-bar.tsx';
import { useChosen } from '../bulk/use-chosen.ts';
import { bulkWords } from '../bulk-words.ts';
import { cellFields } from '../cells/use-cells.ts';
import { withVersion } from '../chosen.ts';
import { type ListAnswer, listDocument, type RecordValues, rightsOf } from '../document.ts';
import { ExportList } from '../export/export-list.tsx';
import { type Described, type DescribedField, fieldNamed, keyOf, useModel } from '../model.ts';
import { NoModel } from '../no-model.tsx';
import { SavedViews } from '../saved/saved-views.tsx';
import { useColumns } from '../use-columns.ts';
import { ColumnValue, labelOf } from '../value.tsx';
import { ViewChoice } from '../view-choice.tsx';
import { viewWords } from '../view-words.ts';
import { recordWords } from '../words.ts';
import { Columns } from './columns.tsx';
import { Facets } from './facets.tsx';
import { GroupChoice, Groups } from './groups.tsx';

const CalendarView = lazy(() =>
  import('../calendar/calendar.tsx').then((module) => ({ default: module.CalendarView })),
);

const KanbanView = lazy(() =>
  import('../kanban/kanban.tsx').then((module) => ({ default: module.KanbanView })),
);

const CellGrid = lazy(() =>
  import('../cells/cell-grid.tsx').then((module) => ({ default: module.CellGrid })),
);

const PivotView = lazy(() => import('../pivot/pivot.tsx').then((module) => ({ default: module.PivotView })));

/** Records of any model. */
export function Records() {
  const { model: name } = useParams({ from: '/records/$model' });
  const { model, refusal, reload } = useModel(name);
  if (refusal?.code === 'NOT_FOUND_MODEL' || (model && !model.listField) || model?.access.read === false)
    return <NoModel name={name} />;
  if (!model)
    return (
      <Screen title={name} needs="modelDescribe">
        {refusal ? <Failed refusal={refusal} onAgain={reload} /> : <p role="status">{shellWords.loading}</p>}
      </Screen>
    );
  return <ListOf key={name} model={model} />;
}

function ListOf({ model }: { model: Described }) {
  const view = useSearch({ from: '/records/$model' });
  const navigate = useNavigate({ from: '/records/$model' });
  const show = useCallback(
    (changes: RecordsView) => void navigate({ search: (old) => ({ ...old, ...changes }) }),
    [navigate],
  );
  const props = { model, view, show };
  return (
    <Screen
      title={model.label}
      needs="modelDescribe"
      isFull
      actions={
        <>
          <SavedViews model={model} />
          <ViewChoice model={model} view={view.view} />
          {rightsOf(model).create && (
            <Link className="button" to="/records/$model/import" params={{ model: model.name }}>
              {bulkWords.import}
            </Link>
          )}
          {rightsOf(model).create && <Create model={model.name} />}
        </>
      }
    >
      <div className="records">
        <Filters {...props} />
        <Facets {...props} />
        {view.group && !view.view && <Groups {...props} />}
        <Suspense fallback={<p role="status">{shellWords.loading}</p>}>
          {view.view === 'kanban' && <KanbanView {...props} />}
          {view.view === 'calendar' && <CalendarView {...props} />}
          {view.view === 'pivot' && <PivotView {...props} />}
          {!view.view && <Rows {...props} />}
        </Suspense>
      </div>
    </Screen>
  );
}

function Create({ model }: { model: string }) {
  const navigate = useNavigate();
  const create = () => void navigate({ to: '/records/$model/$id', params: { model, id: 'new' } });
  useShortcuts([{ keys: 'c', label: recordWords.keys.create, run: create }]);
  return (
    <Button look="primary" icon="plus" onClick={create}>
      {recordWords.create}
    </Button>
  );
}

function Filters({ model, view, show }: ListProps) {
  const search = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label: recordWords.keys.search, run: () => search.current?.focus() }]);
  useEffect(() => {
    search.current!.value = view.q ?? '';
  }, [view.q]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const q = search.current!.value.trim() || undefined;
    if (q !== view.q) show({ q });
  };
  return (
    <form className="records-filters" onSubmit={submit}>
      <Field
        ref={search}
        type="search"
        label={recordWords.search}
        placeholder={recordWords.searchHint}
        onBlur={submit}
      />
      {!view.view && <GroupChoice model={model} view={view} show={show} />}
      {model.fields.some(({ name }) => name === 'active') && (
        <Tick
          label={recordWords.archived}
          checked={view.archived === true}
          onChange={({ target }) => show({ archived: target.checked || undefined })}
        />
      )}
    </form>
  );
}

function Rows({ model, view, show }: ListProps) {
  const { density } = useLook();
  const { columns, keep } = useColumns(model, view.cols);
  const fields = columns.flatMap((key) => fieldNamed(model, key) ?? []);
  const asked = recordsAsked(model, view);
  const { total, refusal, row, look, reload } = useRows<ListAnswer, typeof asked, RecordValues>(
    listDocument(model, view.cells ? [...fields, ...cellFields(model, fields)] : withVersion(model, fields))!,
    asked,
    ({ list }) => list,
  );
  const shown = [...columns, view.cells].join();
  const wasShown = useRef(shown);
  useEffect(() => {
    if (wasShown.current !== shown) reload();
    wasShown.current = shown;
  }, [shown, reload]);
  useFresh(model.name, reload);
  const navigate = useNavigate();
  const { active, setActive, openRow } = useRowKeys({
    asked,
    total,
    isOpen: false,
    open: (index) => {
      const record = row(index);
      if (!record) return;
      const params = { model: model.name, id: record.id };
      void navigate({ to: '/records/$model/$id', params, search: { ...view, at: index } });
    },
    words: recordWords.keys,
  });
  const choosing = useChosen({ model, asked, total, row, active });
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  const isNarrowed = view.q !== undefined || view.where !== undefined;
  return (
    <>
      <div className="records-count">
        <p className="quiet small" role="status">
          {total === null ? shellWords.loading : counted(total, recordWords.count)}
        </p>
        <span className="grow" />
        {rightsOf(model).update && (
          <Button
            look="ghost"
            icon="pen"
            aria-pressed={view.cells === true}
            onClick={() => show({ cells: view.cells ? undefined : true })}
          >
            {viewWords.editCells}
          </Button>
        )}
        {Boolean(total) && <ExportList model={model} asked={asked} total={total!} columns={columns} />}
        <Columns model={model} columns={columns} keep={keep} show={show} />
      </div>
      {!view.cells && (
        <ChosenBar
          model={model}
          choosing={choosing}
          total={total ?? 0}
          columns={columns}
          withArchived={view.archived === true}
          reload={reload}
        />
      )}
      {total === 0 ? (
        <Empty title={isNarrowed ? recordWords.noneFits : recordWords.none}>
          {isNarrowed ? (
            <Button onClick={() => show({ q: undefined, where: undefined })}>{recordWords.showAll}</Button>
          ) : (
            <p>{recordWords.noneText}</p>
          )}
        </Empty>
      ) : view.cells ? (
        <CellGrid
          model={model}
          view={view}
          fields={fields}
          total={total ?? 0}
          row={row}
          look={look}
          head={(field) => <Head model={model} view={view} show={show} field={field} />}
        />
      ) : (
        <>
          <Heads model={model} view={view} show={show} fields={fields} />
          <VirtualList
            label={model.label}
            count={total ?? 0}
            rowHeight={ROW_HEIGHTS[density]}
            active={active}
            selected={-1}
            onActive={setActive}
            onOpen={openRow}
            onRange={look}
            renderRow={(index) => {
              const record = row(index);
              return (
                record && (
                  <div className="records-pick">
                    <span className="pick" data-pick="" aria-hidden="true" />
                    <Row model={model} fields={fields} record={record} />
                  </div>
                )
              );
            }}
            choice={choosing.choice}
          />
        </>
      )}
    </>
  );
}

/** Names of the columns. */
const Heads = ({ fields, ...props }: ListProps & { fields: DescribedField[] }) => (
  <div className="records-row heads" style={widthOf(fields)}>
    {fields.map((field) => (
      <Head key={keyOf(field)} {...props} field={field} />
    ))}
  </div>
);

/** The name of a column; a button where the list can be in its order. */
function Head({ model, view, show, field }: ListProps & { field: DescribedField }) {
  const { field: sorted, isDescending } = orderNamed(model, view.order);
  const key = keyOf(field)!;
  const isIt = field === sorted;
  const look = isNumber(field) ? 'number' : undefined;
  if (!field.sortable) return <span className={look}>{labelOf(model, field)}</span>;
  return (
    <button
      type="button"
      className={look}
      onClick={() => show({ order: isIt && !isDescending ? `-${key}` : key })}
    >
      {labelOf(model, field)}
      {isIt && (
        <>
          <span aria-hidden="true"> {isDescending ? '↓' : '↑'}</span>
          <span className="sr">{isDescending ? recordWords.descending : recordWords.ascending}</span>
        </>
      )}
    </button>
  );
}

/** How many columns there are, for the style. */
const widthOf = (fields: DescribedField[]) => ({ '--columns': fields.length }) as CSSProperties;

const isNumber = ({ type }: DescribedField): boolean =>
  type === 'INTEGER' || type === 'FLOAT' || type === 'MONETARY';

interface RowProps {
  model: Described;
  fields: DescribedField[];
  record: RecordValues;
}

const Row = ({ model, fields, record }: RowProps) => (
  <div className="records-row" style={widthOf(fields)}>
    {fields.map((field) => (
      <span key={field.name} className={isNumber(field) ? 'number' : undefined}>
        {/* Cells are read one after another: each says what it is. */}
        <span className="sr">{labelOf(model, field)}: </span>
        {field.type === 'BOOLEAN' && record[keyOf(field)!] ? (
          <Icon name="check" />
        ) : (
          <ColumnValue model={model} field={field} record={record} />
        )}
      </span>
    ))}
  </div>
);
