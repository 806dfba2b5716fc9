import './list.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type CSSProperties, type FormEvent, Suspense, useCallback, useEffect, useRef } from 'react';
import { lazy } from '../../connection/lazy.ts';
import { useReloadOnChange } from '../../graphql/live.ts';
import { useRows } from '../../graphql/use-rows.ts';
import { formatCount } from '../../i18n/format.ts';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { useRowKeys } from '../../shell/keys/use-row-keys.ts';
import { Loading } from '../../shell/loading.tsx';
import { LoadError, Screen } from '../../shell/screen.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Checkbox, Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ROW_HEIGHTS, useViewPreferences } from '../../ui/view-preferences.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { parseOrder, type RecordListProps, type RecordsView, toRecordsVariables } from '../address.ts';
import { SelectionBar } from '../bulk/selection-bar.tsx';
import { useSelection } from '../bulk/use-selection.ts';
import { bulkStrings } from '../bulk-strings.ts';
import { getCellFields } from '../cells/use-cells.ts';
import { buildListQuery, getRights, type ListResult, type RecordValues } from '../document.ts';
import { ExportList } from '../export/export-list.tsx';
import { type FieldDescription, findField, getFieldKey, type ModelDescription, useModel } from '../model.ts';
import { NoModel } from '../no-model.tsx';
import { SavedViews } from '../saved/saved-views.tsx';
import { addVersionField } from '../selection.ts';
import { recordStrings } from '../strings.ts';
import { useColumns } from '../use-columns.ts';
import { ColumnValue, getFieldLabel } from '../value.tsx';
import { ViewChoice } from '../view-choice.tsx';
import { viewStrings } from '../view-strings.ts';
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

export function Records() {
  const { model: name } = useParams({ from: '/records/$model' });
  const { model, refusal, reload } = useModel(name);
  if (refusal?.code === 'NOT_FOUND_MODEL' || (model && !model.listField) || model?.access.read === false)
    return <NoModel />;
  if (!model)
    return (
      <Screen title={recordStrings.title} needs="modelDescribe">
        {refusal ? <LoadError refusal={refusal} onAgain={reload} /> : <Loading />}
      </Screen>
    );
  return <RecordList key={name} model={model} />;
}

function RecordList({ model }: { model: ModelDescription }) {
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
          {getRights(model).create && (
            <Link className="button" to="/records/$model/import" params={{ model: model.name }}>
              {bulkStrings.import}
            </Link>
          )}
          {getRights(model).create && <CreateButton model={model.name} />}
        </>
      }
    >
      <div className="records">
        <Filters {...props} />
        <Facets {...props} />
        {view.group && !view.view && <Groups {...props} />}
        <Suspense fallback={<Loading />}>
          {view.view === 'kanban' && <KanbanView {...props} />}
          {view.view === 'calendar' && <CalendarView {...props} />}
          {view.view === 'pivot' && <PivotView {...props} />}
          {!view.view && <RecordRows {...props} />}
        </Suspense>
      </div>
    </Screen>
  );
}

function CreateButton({ model }: { model: string }) {
  const navigate = useNavigate();
  const create = () => void navigate({ to: '/records/$model/$id', params: { model, id: 'new' } });
  useShortcuts([{ keys: 'c', label: recordStrings.keys.create, run: create }]);
  return (
    <Button look="primary" icon="plus" onClick={create}>
      {recordStrings.create}
    </Button>
  );
}

function Filters({ model, view, show }: RecordListProps) {
  const search = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label: recordStrings.keys.search, run: () => search.current?.focus() }]);
  useEffect(() => {
    search.current!.value = view.q ?? '';
  }, [view.q]);
  const find = () => {
    const q = search.current!.value.trim() || undefined;
    if (q !== view.q) show({ q });
  };
  // Leaves the field, so that keys move in the list.
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search.current!.blur();
  };
  return (
    <form className="records-filters" onSubmit={submit}>
      <Field
        ref={search}
        type="search"
        label={recordStrings.search}
        placeholder={recordStrings.searchHint}
        onBlur={find}
      />
      {!view.view && <GroupChoice model={model} view={view} show={show} />}
      {model.fields.some(({ name }) => name === 'active') && (
        <Checkbox
          label={recordStrings.includeArchived}
          checked={view.archived === true}
          onChange={({ target }) => show({ archived: target.checked || undefined })}
        />
      )}
    </form>
  );
}

function RecordRows({ model, view, show }: RecordListProps) {
  const { density } = useViewPreferences();
  const { columns, keep } = useColumns(model, view.cols);
  const fields = columns.flatMap((key) => findField(model, key) ?? []);
  const variables = toRecordsVariables(model, view);
  const { total, refusal, row, look, reload } = useRows<ListResult, typeof variables, RecordValues>(
    buildListQuery(
      model,
      view.cells ? [...fields, ...getCellFields(model, fields)] : addVersionField(model, fields),
    )!,
    variables,
    ({ list }) => list,
  );
  const columnsKey = [...columns, view.cells].join();
  const wasShown = useRef(columnsKey);
  useEffect(() => {
    if (wasShown.current !== columnsKey) reload();
    wasShown.current = columnsKey;
  }, [columnsKey, reload]);
  useReloadOnChange(model.name, reload);
  const navigate = useNavigate();
  const { active, setActive, openRow } = useRowKeys({
    queryVariables: variables,
    total,
    isOpen: false,
    open: (index) => {
      const record = row(index);
      if (!record) return;
      const params = { model: model.name, id: record.id };
      void navigate({ to: '/records/$model/$id', params, search: { ...view, at: index } });
    },
    strings: recordStrings.keys,
  });
  const selection = useSelection({ model, queryVariables: variables, total, row, active });
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  const isNarrowed = view.q !== undefined || view.where !== undefined;
  return (
    <>
      <div className="records-count">
        <p className="quiet small" role="status">
          {total === null ? shellStrings.loading : formatCount(total, recordStrings.count)}
        </p>
        <span className="grow" />
        {getRights(model).update && (
          <Button
            look="ghost"
            icon="pen"
            aria-pressed={view.cells === true}
            onClick={() => show({ cells: view.cells ? undefined : true })}
          >
            {viewStrings.editCells}
          </Button>
        )}
        {Boolean(total) && (
          <ExportList model={model} queryVariables={variables} total={total!} columns={columns} />
        )}
        <Columns model={model} columns={columns} keep={keep} show={show} />
      </div>
      {!view.cells && (
        <SelectionBar
          model={model}
          choosing={selection}
          total={total ?? 0}
          columns={columns}
          withArchived={view.archived === true}
          reload={reload}
        />
      )}
      {total === 0 ? (
        <EmptyState title={isNarrowed ? recordStrings.noMatches : recordStrings.none}>
          {isNarrowed ? (
            <Button onClick={() => show({ q: undefined, where: undefined })}>{recordStrings.showAll}</Button>
          ) : (
            <p>{recordStrings.noneText}</p>
          )}
        </EmptyState>
      ) : view.cells ? (
        <CellGrid
          model={model}
          view={view}
          fields={fields}
          total={total ?? 0}
          row={row}
          look={look}
          head={(field) => <ColumnHeader model={model} view={view} show={show} field={field} />}
        />
      ) : (
        <>
          <ColumnHeaders model={model} view={view} show={show} fields={fields} />
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
                    <RecordRow model={model} fields={fields} record={record} />
                  </div>
                )
              );
            }}
            choice={selection.choice}
          />
        </>
      )}
    </>
  );
}

const ColumnHeaders = ({ fields, ...props }: RecordListProps & { fields: FieldDescription[] }) => (
  <div className="records-row heads" style={getColumnStyle(fields)}>
    {fields.map((field) => (
      <ColumnHeader key={getFieldKey(field)} {...props} field={field} />
    ))}
  </div>
);

/** A column header, with a sort button if the field is sortable. */
function ColumnHeader({ model, view, show, field }: RecordListProps & { field: FieldDescription }) {
  const { field: sorted, isDescending } = parseOrder(model, view.order);
  const key = getFieldKey(field)!;
  const isSorted = field === sorted;
  const look = isNumber(field) ? 'number' : undefined;
  if (!field.sortable) return <span className={look}>{getFieldLabel(model, field)}</span>;
  return (
    <button
      type="button"
      className={look}
      onClick={() => show({ order: isSorted && !isDescending ? `-${key}` : key })}
    >
      {getFieldLabel(model, field)}
      {isSorted && (
        <>
          <span aria-hidden="true"> {isDescending ? '↓' : '↑'}</span>
          <span className="sr">{isDescending ? recordStrings.descending : recordStrings.ascending}</span>
        </>
      )}
    </button>
  );
}

/** Passes the number of columns to the stylesheet. */
const getColumnStyle = (fields: FieldDescription[]) => ({ '--columns': fields.length }) as CSSProperties;

const isNumber = ({ type }: FieldDescription): boolean =>
  type === 'INTEGER' || type === 'FLOAT' || type === 'MONETARY';

interface RecordRowProps {
  model: ModelDescription;
  fields: FieldDescription[];
  record: RecordValues;
}

const RecordRow = ({ model, fields, record }: RecordRowProps) => (
  <div className="records-row" style={getColumnStyle(fields)}>
    {fields.map((field) => (
      <span key={field.name} className={isNumber(field) ? 'number' : undefined}>
        {/* Screen readers announce cells individually, so each cell contains its label. */}
        <span className="sr">{getFieldLabel(model, field)}: </span>
        {field.type === 'BOOLEAN' && record[getFieldKey(field)!] ? (
          <Icon name="check" />
        ) : (
          <ColumnValue model={model} field={field} record={record} />
        )}
      </span>
    ))}
  </div>
);
