import './list.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type FormEvent, Suspense, useCallback, useEffect, useRef } from 'react';
import { lazy } from '../../connection/lazy.ts';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { Loading } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field } from '../../ui/field.tsx';
import type { RecordListProps, RecordsView } from '../address.ts';
import { bulkStrings } from '../bulk-strings.ts';
import { getRights } from '../document.ts';
import type { ModelDescription } from '../model.ts';
import { ModelScreen } from '../model-screen.tsx';
import { SavedViews } from '../saved/saved-views.tsx';
import { recordStrings } from '../strings.ts';
import { ViewChoice } from '../view-choice.tsx';
import { Facets } from './facets.tsx';
import { GroupChoice, Groups } from './groups.tsx';
import { RecordRows } from './record-rows.tsx';

const CalendarView = lazy(() => import('../calendar/calendar.tsx'), 'CalendarView');
const KanbanView = lazy(() => import('../kanban/kanban.tsx'), 'KanbanView');
const PivotView = lazy(() => import('../pivot/pivot.tsx'), 'PivotView');

export function Records() {
  const { model: name } = useParams({ from: '/records/$model' });
  return (
    <ModelScreen name={name} query="listField">
      {(model) => <RecordList key={name} model={model} />}
    </ModelScreen>
  );
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
      title={model.pluralLabel}
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
  // Removes the focus from the field, so that keys move through the list.
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
