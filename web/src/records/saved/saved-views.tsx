import './saved-views.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { ConfirmDialog } from '../../shell/action-buttons.tsx';
import { ActionForm } from '../../shell/action-form.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyValue } from '../../ui/copy-value.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, Field } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { RecordsView } from '../address.ts';
import type { ModelDescription } from '../model.ts';
import { useColumns } from '../use-columns.ts';
import { viewStrings } from '../view-strings.ts';
import { RecordsSavedDeleteDocument, RecordsSavedDocument, RecordsSavedSaveDocument } from './generated.ts';
import {
  canEditView,
  findDefaultView,
  hasNoViewSettings,
  isSameView,
  type SavedView,
  type SavedViewInput,
  type SavedViewOptions,
  toRecordsView,
  toRenamedInput,
  toSavedViewInput,
} from './saved-view.ts';

const ADMINISTRATORS = 'base.group_system';

export function SavedViews({ model }: { model: ModelDescription }) {
  const { data, reload } = useGraphqlQuery(RecordsSavedDocument, { model: model.name });
  const { saved } = useSearch({ from: '/records/$model' });
  const { viewer } = useViewer();
  const views = data?.savedViews.nodes;
  useDefaultView(model, views, viewer.userId);
  const [isOpen, setIsOpen] = useState(false);
  if (!views) return null;
  const current = views.find(({ id }) => id === saved);
  return (
    <>
      <Button icon="star" title={viewStrings.savedViews} onClick={() => setIsOpen(true)}>
        <span className="saved-name">{current?.name ?? viewStrings.savedViews}</span>
      </Button>
      {isOpen && (
        <SavedViewList
          model={model}
          views={views}
          current={current}
          reload={reload}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

/** If the URL contains no other settings, applies the saved view in the URL, or else the default view. */
function useDefaultView(model: ModelDescription, views: SavedView[] | undefined, user: string | null) {
  const view = useSearch({ from: '/records/$model' });
  const navigate = useNavigate({ from: '/records/$model' });
  const hasStarted = useRef(!hasNoViewSettings(view));
  useEffect(() => {
    if (!views || hasStarted.current) return;
    hasStarted.current = true;
    const first = view.saved ? views.find(({ id }) => id === view.saved) : findDefaultView(views, user);
    const search = first && toRecordsView(model, first);
    if (search && hasNoViewSettings(view)) void navigate({ search, replace: true });
  }, [views, view, user, model, navigate]);
}

interface SavedViewListProps {
  model: ModelDescription;
  views: SavedView[];
  current: SavedView | undefined;
  reload(): void;
  onClose(): void;
}

function SavedViewList({ model, views, current, reload, onClose }: SavedViewListProps) {
  const { viewer } = useViewer();
  const view = useSearch({ from: '/records/$model' });
  const { columns } = useColumns(model, view.cols);
  const [changing, setChanging] = useState<SavedView | null>(null);
  const [deleting, setDeleting] = useState<SavedView | null>(null);
  const { save, show, remove } = useSavedViewActions(reload, onClose);
  const isAdministrator = viewer.groups.includes(ADMINISTRATORS);
  const isMine = (view: SavedView) => canEditView(view, viewer.userId, isAdministrator);
  const shownView = current && toRecordsView(model, current);
  const isChanged = shownView && !isSameView(shownView, view);
  return (
    <Dialog title={viewStrings.savedViews} onClose={onClose}>
      <ul className="saved-views">
        <li>
          <ViewLink model={model} search={{}} onClick={onClose}>
            {viewStrings.allRecords}
          </ViewLink>
        </li>
        {views.map((view) => (
          <li key={view.id}>
            <SavedViewLink model={model} view={view} isCurrent={view === current} onClick={onClose} />
            {isMine(view) && <EditButtons view={view} onEdit={setChanging} onDelete={setDeleting} />}
          </li>
        ))}
      </ul>
      {current && !changing && <SavedViewAddress model={model.name} id={current.id} />}
      {isChanged && isMine(current) && !changing && (
        <ActionForm
          key={current.id}
          version={current.version}
          submit={viewStrings.saveChanges(current.name)}
          onSubmit={(_form, expectedVersion) =>
            show(toSavedViewInput(model, view, columns, current), { id: current.id, expectedVersion })
          }
        />
      )}
      <SaveForm
        key={changing?.id ?? ''}
        view={changing}
        canBeFirst={isAdministrator}
        onSave={(as, expectedVersion) =>
          changing
            ? save(toRenamedInput(model, changing, as), { id: changing.id, expectedVersion })
            : show(toSavedViewInput(model, view, columns, as))
        }
        onClose={changing ? () => setChanging(null) : onClose}
      />
      {deleting && (
        <ConfirmDialog
          title={viewStrings.deleteNamed(deleting.name)}
          yes={viewStrings.delete}
          onYes={() => remove(deleting.id)}
          text={deleting.isShared ? viewStrings.deleteShared : viewStrings.deleteMine}
          onClose={() => setDeleting(null)}
        />
      )}
    </Dialog>
  );
}

function useSavedViewActions(reload: () => void, onClose: () => void) {
  const { saved } = useSearch({ from: '/records/$model' });
  const navigate = useNavigate({ from: '/records/$model' });
  const replaceSaved = (saved: string | undefined) =>
    navigate({ search: (old) => ({ ...old, saved }), replace: true });
  const save = async (input: SavedViewInput, replaced: ReplacedView = {}) => {
    const { savedViewSave } = await runMutation(RecordsSavedSaveDocument, { ...replaced, input });
    reload();
    showToast(viewStrings.viewSaved);
    onClose();
    return savedViewSave!.id;
  };
  return {
    save,
    /** Saves the current view, and shows the list in it. */
    show: async (input: SavedViewInput, replaced?: ReplacedView) => replaceSaved(await save(input, replaced)),
    remove: async (id: string) => {
      await runMutation(RecordsSavedDeleteDocument, { id });
      reload();
      if (saved === id) await replaceSaved(undefined);
    },
  };
}

interface ReplacedView {
  id?: string;
  expectedVersion?: number | undefined;
}

interface ViewLinkProps {
  model: ModelDescription;
  search: RecordsView;
  isCurrent?: boolean;
  onClick(): void;
  children: ReactNode;
}

const ViewLink = ({ model, search, isCurrent = false, onClick, children }: ViewLinkProps) => (
  <Link
    to="/records/$model"
    params={{ model: model.name }}
    search={search}
    activeOptions={{ exact: true }}
    aria-current={isCurrent ? 'true' : undefined}
    onClick={onClick}
  >
    {children}
  </Link>
);

interface SavedViewLinkProps extends Omit<ViewLinkProps, 'search' | 'children'> {
  view: SavedView;
}

/** Renders a saved view. It is not a link if filters cannot express its conditions. */
function SavedViewLink({ view, ...link }: SavedViewLinkProps) {
  const search = toRecordsView(link.model, view);
  return search ? (
    <ViewLink {...link} search={search}>
      <SavedViewLabel view={view} />
    </ViewLink>
  ) : (
    <span className="quiet" title={viewStrings.unsupportedView}>
      <SavedViewLabel view={view} /> <span className="small">{viewStrings.unsupportedView}</span>
    </span>
  );
}

interface EditButtonsProps {
  view: SavedView;
  onEdit(view: SavedView): void;
  onDelete(view: SavedView): void;
}

const EditButtons = ({ view, onEdit, onDelete }: EditButtonsProps) => (
  <>
    <IconButton icon="pen" label={viewStrings.editNamed(view.name)} onClick={() => onEdit(view)} />
    <IconButton icon="trash" label={viewStrings.deleteNamed(view.name)} onClick={() => onDelete(view)} />
  </>
);

const SavedViewAddress = ({ model, id }: { model: string; id: string }) => (
  <p className="saved-address">
    <span className="small quiet">{viewStrings.viewLink}</span>
    <CopyValue
      value={`${location.origin}/app/records/${encodeURIComponent(model)}?saved=${id}`}
      label={viewStrings.copyLink}
    />
  </p>
);

const SavedViewLabel = ({ view: { name, isShared, isDefault } }: { view: SavedView }) => (
  <>
    <bdi>{name}</bdi>{' '}
    {isDefault && (
      <span className="small">
        <Icon name="check" /> {viewStrings.isDefault}
      </span>
    )}
    {isShared && <span className="small quiet"> {viewStrings.isShared}</span>}
  </>
);

interface SaveFormProps {
  /** The view to rename. Null for a new view. */
  view: SavedView | null;
  /** True if the user may set the default view for everyone. */
  canBeFirst: boolean;
  onSave(as: SavedViewOptions, expectedVersion: number | undefined): Promise<unknown>;
  onClose(): void;
}

function SaveForm({ view, canBeFirst, onSave, onClose }: SaveFormProps) {
  const [isShared, setIsShared] = useState(view?.isShared ?? false);
  return (
    <ActionForm
      className="saved-form"
      version={view?.version}
      submit={viewStrings.save}
      look="plain"
      onClose={onClose}
      onSubmit={(form, expectedVersion) =>
        onSave({ name: getText(form, 'name'), isShared, isDefault: form.has('default') }, expectedVersion)
      }
    >
      <h2>{view ? viewStrings.editNamed(view.name) : viewStrings.saveView}</h2>
      <Field label={viewStrings.viewName} name="name" required maxLength={200} defaultValue={view?.name} />
      <Checkbox
        label={viewStrings.shareView}
        checked={isShared}
        onChange={({ target }) => setIsShared(target.checked)}
      />
      <Checkbox
        key={String(isShared)}
        label={isShared ? viewStrings.everyonesDefault : viewStrings.myDefault}
        name="default"
        defaultChecked={view?.isDefault}
        disabled={isShared && !canBeFirst}
      />
    </ActionForm>
  );
}
