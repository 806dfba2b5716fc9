import { useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { formatCount } from '../../i18n/format.ts';
import { ConfirmDialog } from '../../shell/action-buttons.tsx';
import { LoadStatus } from '../../shell/loading.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { LabelDot } from '../labels.tsx';
import { assertOk } from '../mail-outcome.ts';
import {
  MailFolderCreateDocument,
  MailFolderDeleteDocument,
  MailFolderRenameDocument,
  MailLabelCreateDocument,
  MailLabelDeleteDocument,
  MailLabelsAndFoldersDocument,
  MailLabelUpdateDocument,
} from './generated.ts';
import { NameDialog, type NameInput } from './name-dialog.tsx';
import { settingsStrings } from './strings.ts';

export function LabelsAndFolders({ mailbox }: { mailbox: string }) {
  const { data, refusal, reload } = useGraphqlQuery(MailLabelsAndFoldersDocument, {});
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const labels = data.mailState.labels.filter(({ accountId }) => accountId === mailbox);
  const folders = data.mailState.folders.filter(({ accountId, type }) => accountId === mailbox && !type);
  return (
    <>
      <NamedItemList
        title={settingsStrings.labels}
        none={settingsStrings.noLabels}
        create={settingsStrings.newLabel}
        deleteText={settingsStrings.deleteLabelText}
        things={labels}
        hasColor
        onCreate={async ({ name, color }) => {
          assertOk((await runMutation(MailLabelCreateDocument, { mailbox, name, color })).mailLabelCreate);
        }}
        onUpdate={async (id, { name, color }) => {
          assertOk((await runMutation(MailLabelUpdateDocument, { id, name, color })).mailLabelUpdate);
        }}
        onDelete={async (id) => {
          assertOk((await runMutation(MailLabelDeleteDocument, { id })).mailLabelDelete);
        }}
        reload={reload}
      />
      <NamedItemList
        title={settingsStrings.folders}
        none={settingsStrings.noFolders}
        create={settingsStrings.newFolder}
        deleteText={settingsStrings.deleteFolderText}
        things={folders}
        onCreate={async ({ name }) => {
          assertOk((await runMutation(MailFolderCreateDocument, { mailbox, name })).mailFolderCreate);
        }}
        onUpdate={async (id, { name }) => {
          assertOk((await runMutation(MailFolderRenameDocument, { id, name })).mailFolderRename);
        }}
        onDelete={async (id) => {
          assertOk((await runMutation(MailFolderDeleteDocument, { id })).mailFolderDelete);
        }}
        reload={reload}
      />
    </>
  );
}

interface NamedItem {
  id: string;
  name: string;
  color?: number;
  total: number;
}

interface NamedItemListProps {
  title: string;
  none: string;
  create: string;
  deleteText: string;
  things: readonly NamedItem[];
  hasColor?: boolean;
  onCreate(input: NameInput): Promise<void>;
  onUpdate(id: string, input: NameInput): Promise<void>;
  onDelete(id: string): Promise<void>;
  reload(): void;
}

function NamedItemList({ title, none, create, deleteText, things, ...props }: NamedItemListProps) {
  const { hasColor = false, onCreate, onUpdate, onDelete, reload } = props;
  const [edited, setEdited] = useState<NamedItem | 'new'>();
  const [deleted, setDeleted] = useState<NamedItem>();
  const save = async (input: NameInput) => {
    await (edited === 'new' ? onCreate(input) : onUpdate(edited!.id, input));
    reload();
  };
  return (
    <section className="mail-settings-things">
      <h2>{title}</h2>
      {things.length === 0 && <p className="quiet">{none}</p>}
      <ul className="card-list">
        {things.map((thing) => (
          <NamedItemRow
            key={thing.id}
            item={thing}
            onEdit={() => setEdited(thing)}
            onDelete={() => setDeleted(thing)}
          />
        ))}
      </ul>
      <div className="buttons">
        <Button icon="plus" onClick={() => setEdited('new')}>
          {create}
        </Button>
      </div>
      {edited && (
        <NameDialog
          title={edited === 'new' ? create : settingsStrings.editNamed(edited.name)}
          submit={edited === 'new' ? undefined : settingsStrings.save}
          first={edited === 'new' ? { name: '', color: 0 } : { name: edited.name, color: edited.color ?? 0 }}
          hasColor={hasColor}
          onSave={save}
          onClose={() => setEdited(undefined)}
        />
      )}
      {deleted && (
        <ConfirmDialog
          title={settingsStrings.deleteNamed(deleted.name)}
          text={deleteText}
          yes={settingsStrings.delete}
          onYes={() => onDelete(deleted.id).then(reload)}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </section>
  );
}

interface NamedItemRowProps {
  item: NamedItem;
  onEdit(): void;
  onDelete(): void;
}

const NamedItemRow = ({ item: { name, color, total }, onEdit, onDelete }: NamedItemRowProps) => (
  <li className="card">
    {color !== undefined && <LabelDot color={color} />}
    <strong className="grow">
      <bdi>{name}</bdi>
    </strong>
    <span className="quiet small">{formatCount(total, settingsStrings.messageCount)}</span>
    <Button aria-label={settingsStrings.editNamed(name)} onClick={onEdit}>
      {settingsStrings.edit}
    </Button>
    <IconButton look="plain" icon="trash" label={settingsStrings.deleteNamed(name)} onClick={onDelete} />
  </li>
);
