import './saved-views.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { ConfirmDialog } from '../../shell/action-buttons.tsx';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyValue } from '../../ui/copy-value.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, Field } from '../../ui/form/field.tsx';
import { Form, getText } from '../../ui/form/form.tsx';
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
  const { save, show, remove, isBusy, refusal } = useSavedViewActions(reload, onClose);
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
        <Button
          look="primary"
          isBusy={isBusy}
          onClick={() => void show(toSavedViewInput(model, view, columns, current), current.id)}
        >
          {viewStrings.saveChanges(current.name)}
        </Button>
      )}
      <SaveForm
        key={changing?.id ?? ''}
        view={changing}
        canBeFirst={isAdministrator}
        isBusy={isBusy}
        error={refusal?.message ?? null}
        onSave={(as) =>
          changing
            ? void save(toRenamedInput(model, changing, as), changing.id)
            : void show(toSavedViewInput(model, view, columns, as))
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
  const { isBusy, act, refusal } = useFormAction();
  const replaceSaved = (saved: string | undefined) =>
    navigate({ search: (old) => ({ ...old, saved }), replace: true });
  const write = async (input: SavedViewInput, id?: string) => {
    const { savedViewSave } = await runMutation(RecordsSavedSaveDocument, { id, input });
    reload();
    showToast(viewStrings.viewSaved);
    onClose();
    return savedViewSave!.id;
  };
  return {
    isBusy,
    refusal,
    save: (input: SavedViewInput, id: string) => act(() => write(input, id)),
    /** Saves the current view, and shows the list in it. */
    show: (input: SavedViewInput, id?: string) => act(async () => replaceSaved(await write(input, id))),
    remove: (id: string) =>
      act(async () => {
        await runMutation(RecordsSavedDeleteDocument, { id });
        reload();
        if (saved === id) await replaceSaved(undefined);
      }),
  };
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
  isBusy: boolean;
  error: string | null;
  onSave(as: SavedViewOptions): void;
  onClose(): void;
}

function SaveForm({ view, canBeFirst, isBusy, error, onSave, onClose }: SaveFormProps) {
  const [isShared, setIsShared] = useState(view?.isShared ?? false);
  const submit = (form: FormData) =>
    onSave({ name: getText(form, 'name'), isShared, isDefault: form.has('default') });
  return (
    <Form className="saved-form" onSubmit={submit}>
      <h2>{view ? viewStrings.editNamed(view.name) : viewStrings.saveView}</h2>
      <Field
        label={viewStrings.viewName}
        name="name"
        required
        maxLength={200}
        defaultValue={view?.name}
        error={error}
      />
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
      <DialogButtons onClose={onClose}>
        <Button type="submit" isBusy={isBusy}>
          {viewStrings.save}
        </Button>
      </DialogButtons>
    </Form>
  );
}
