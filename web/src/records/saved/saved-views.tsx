import './saved-views.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { Confirm } from '../../shell/dialogs/confirm.tsx';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyValue } from '../../ui/copy-value.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { ModelDescription } from '../model.ts';
import { useColumns } from '../use-columns.ts';
import { viewStrings } from '../view-strings.ts';
import { RecordsSavedDeleteDocument, RecordsSavedDocument, RecordsSavedSaveDocument } from './generated.ts';
import {
  findDefaultView,
  isPlain,
  isSameView,
  type SavedView,
  type SavedViewInput,
  type SavedViewOptions,
  toRecordsView,
  toRenamedInput,
  toSavedViewInput,
} from './saved-view.ts';

/** Administrators may also edit shared views of other users. */
const ADMINISTRATORS = 'base.group_system';

/** Menu of saved views: apply, save, edit and delete. */
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
      <Button icon="star" onClick={() => setIsOpen(true)} title={viewStrings.savedViews}>
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

/** Applies the saved view from the URL if the URL has no other settings, or else the default view. */
function useDefaultView(model: ModelDescription, views: SavedView[] | undefined, user: string | null) {
  const view = useSearch({ from: '/records/$model' });
  const navigate = useNavigate({ from: '/records/$model' });
  const hasStarted = useRef(!isPlain(view));
  useEffect(() => {
    if (!views || hasStarted.current) return;
    hasStarted.current = true;
    const first = view.saved ? views.find(({ id }) => id === view.saved) : findDefaultView(views, user);
    const search = first && toRecordsView(model, first);
    if (search && isPlain(view)) void navigate({ search, replace: true });
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
  const { model: name } = useParams({ from: '/records/$model' });
  const navigate = useNavigate({ from: '/records/$model' });
  const { columns } = useColumns(model, view.cols);
  const [changing, setChanging] = useState<SavedView | null>(null);
  const [deleting, setDeleting] = useState<SavedView | null>(null);
  const { isBusy, act, refusal } = useFormAction();
  const isAdministrator = viewer.groups.includes(ADMINISTRATORS);
  const isMine = ({ userId, isShared, isDefault }: SavedView) =>
    isAdministrator
      ? userId === viewer.userId || isShared
      : userId === viewer.userId && !(isShared && isDefault);
  const save = (input: SavedViewInput, id?: string) =>
    act(async () => {
      const { savedViewSave } = await runMutation(RecordsSavedSaveDocument, { id, input });
      reload();
      showToast(viewStrings.viewSaved);
      onClose();
      if (!changing)
        await navigate({ search: (old) => ({ ...old, saved: savedViewSave!.id }), replace: true });
    });
  const remove = async () => {
    await act(async () => {
      await runMutation(RecordsSavedDeleteDocument, { id: deleting!.id });
      reload();
      if (current?.id === deleting!.id)
        await navigate({ search: (old) => ({ ...old, saved: undefined }), replace: true });
    });
    setDeleting(null);
  };
  const shownView = current && toRecordsView(model, current);
  const isChanged = shownView && !isSameView(shownView, view);
  return (
    <Dialog title={viewStrings.savedViews} onClose={onClose}>
      <ul className="saved-views">
        <li>
          <Link
            to="/records/$model"
            params={{ model: name }}
            search={{}}
            activeOptions={{ exact: true }}
            onClick={onClose}
          >
            {viewStrings.allRecords}
          </Link>
        </li>
        {views.map((view) => {
          const search = toRecordsView(model, view);
          return (
            <li key={view.id}>
              {search ? (
                <Link
                  to="/records/$model"
                  params={{ model: name }}
                  search={search}
                  activeOptions={{ exact: true }}
                  aria-current={view === current ? 'true' : undefined}
                  onClick={onClose}
                >
                  <SavedViewLabel view={view} />
                </Link>
              ) : (
                <span className="quiet" title={viewStrings.unsupportedView}>
                  <SavedViewLabel view={view} /> <span className="small">{viewStrings.unsupportedView}</span>
                </span>
              )}
              {isMine(view) && (
                <>
                  <IconButton
                    icon="pen"
                    label={viewStrings.editNamed(view.name)}
                    onClick={() => setChanging(view)}
                  />
                  <IconButton
                    icon="trash"
                    label={viewStrings.deleteNamed(view.name)}
                    onClick={() => setDeleting(view)}
                  />
                </>
              )}
            </li>
          );
        })}
      </ul>
      {current && !changing && (
        <p className="saved-address">
          <span className="small quiet">{viewStrings.viewLink}</span>
          <CopyValue
            value={buildLink(name, current.id)}
            copy={viewStrings.copyLink}
            copied={viewStrings.linkCopied}
          />
        </p>
      )}
      {isChanged && isMine(current) && !changing && (
        <Button
          look="primary"
          isBusy={isBusy}
          onClick={() => void save(toSavedViewInput(model, view, columns, current), current.id)}
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
            : void save(toSavedViewInput(model, view, columns, as))
        }
        onClose={changing ? () => setChanging(null) : onClose}
      />
      {deleting && (
        <Confirm
          title={viewStrings.deleteNamed(deleting.name)}
          yes={viewStrings.delete}
          onYes={remove}
          onClose={() => setDeleting(null)}
        >
          <p>{deleting.isShared ? viewStrings.deleteShared : viewStrings.deleteMine}</p>
        </Confirm>
      )}
    </Dialog>
  );
}

const buildLink = (model: string, id: string): string =>
  `${location.origin}/app/records/${encodeURIComponent(model)}?saved=${id}`;

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
  /** View to rename. Null for a new view. */
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
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    onSave({
      name: String(formData.get('name')).trim(),
      isShared,
      isDefault: formData.get('default') === 'on',
    });
  };
  return (
    <form className="saved-form" onSubmit={submit}>
      <h2>{view ? viewStrings.editNamed(view.name) : viewStrings.saveView}</h2>
      <Field
        label={viewStrings.viewName}
        name="name"
        required
        maxLength={200}
        autoComplete="off"
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
    </form>
  );
}
