import './list.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useCallback, useState } from 'react';
import { lazy } from '../../connection/lazy.ts';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { Loading } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { SearchField } from '../../shell/search-field.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/form/field.tsx';
import { PhoneToggle } from '../../ui/layout/phone-toggle.tsx';
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
  const [isOpen, setIsOpen] = useState(Boolean(view.q || view.archived));
  const extra = isOpen ? '' : 'not-on-phones';
  return (
    <Screen
      title={model.pluralLabel}
      isFull
      actions={
        <>
          <div className={extra}>
            <SavedViews model={model} />
          </div>
          <ViewChoice model={model} view={view.view} />
          {getRights(model).create && (
            <Link className={`button ${extra}`} to="/records/$model/import" params={{ model: model.name }}>
              {bulkStrings.import}
            </Link>
          )}
          <PhoneToggle label={recordStrings.filters} isOpen={isOpen} onToggle={setIsOpen} />
          {getRights(model).create && <CreateButton model={model.name} />}
        </>
      }
    >
      <div className={isOpen ? 'records' : 'records collapsed'}>
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
  return (
    <div className="records-filters">
      <SearchField hint={recordStrings.searchHint} value={view.q} onSearch={(q) => show({ q })} />
      {!view.view && <GroupChoice model={model} view={view} show={show} />}
      {model.fields.some(({ name }) => name === 'active') && (
        <Checkbox
          label={recordStrings.includeArchived}
          checked={view.archived === true}
          onChange={({ target }) => show({ archived: target.checked || undefined })}
        />
      )}
    </div>
  );
}
