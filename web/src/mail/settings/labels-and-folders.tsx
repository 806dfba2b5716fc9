import { useState } from 'react';
import { change } from '../../graphql/client.ts';
import { counted } from '../../i18n/format.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Loading } from '../../shell/loading.tsx';
import { Failed } from '../../shell/screen.tsx';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { LabelDot } from '../labels.tsx';
import {
  MailFolderCreateDocument,
  MailFolderDeleteDocument,
  MailFolderRenameDocument,
  MailLabelCreateDocument,
  MailLabelDeleteDocument,
  MailLabelsAndFoldersDocument,
  MailLabelUpdateDocument,
} from './generated.ts';
import { NameDialog, type Named } from './name-dialog.tsx';
import { isDone, wrongOf } from './outcome.ts';
import { settingsWords } from './words.ts';

/** Labels of a mailbox, and the folders that were created in it. */
export function LabelsAndFolders({ mailbox }: { mailbox: string }) {
  const { data, refusal, reload } = useAnswer(MailLabelsAndFoldersDocument, {});
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  if (!data) return <Loading />;
  const labels = data.mailState.labels.filter(({ accountId }) => accountId === mailbox);
  const folders = data.mailState.folders.filter(({ accountId, type }) => accountId === mailbox && !type);
  return (
    <>
      <Things
        title={settingsWords.labels}
        none={settingsWords.noLabels}
        create={settingsWords.newLabel}
        deleteText={settingsWords.deleteLabelText}
        things={labels}
        hasColor
        onCreate={({ name, color }) =>
          change(MailLabelCreateDocument, { mailbox, name, color }).then((done) => done.mailLabelCreate)
        }
        onUpdate={(id, { name, color }) =>
          change(MailLabelUpdateDocument, { id, name, color }).then((done) => done.mailLabelUpdate)
        }
        onDelete={(id) => change(MailLabelDeleteDocument, { id }).then((done) => done.mailLabelDelete)}
        reload={reload}
      />
      <Things
        title={settingsWords.folders}
        none={settingsWords.noFolders}
        create={settingsWords.newFolder}
        deleteText={settingsWords.deleteFolderText}
        things={folders}
        onCreate={({ name }) =>
          change(MailFolderCreateDocument, { mailbox, name }).then((done) => done.mailFolderCreate)
        }
        onUpdate={(id, { name }) =>
          change(MailFolderRenameDocument, { id, name }).then((done) => done.mailFolderRename)
        }
        onDelete={(id) => change(MailFolderDeleteDocument, { id }).then((done) => done.mailFolderDelete)}
        reload={reload}
      />
    </>
  );
}

type Change = Promise<{ ok: boolean; error: string | null }>;

interface Thing {
  id: string;
  name: string;
  color?: number;
  /** Messages. */
  total: number;
}

interface ThingsProps {
  title: string;
  none: string;
  create: string;
  deleteText: string;
  things: readonly Thing[];
  hasColor?: boolean;
  onCreate(given: Named): Change;
  onUpdate(id: string, given: Named): Change;
  onDelete(id: string): Change;
  reload(): void;
}

function Things(props: ThingsProps) {
  const {
    title,
    none,
    create,
    deleteText,
    things,
    hasColor = false,
    onCreate,
    onUpdate,
    onDelete,
    reload,
  } = props;
  const [edited, setEdited] = useState<Thing | 'new'>();
  const [deleted, setDeleted] = useState<Thing>();
  const save = async (given: Named): Promise<string | null> => {
    const wrong = await wrongOf(edited === 'new' ? onCreate(given) : onUpdate(edited!.id, given));
    if (wrong === null) reload();
    return wrong;
  };
  const remove = async () => {
    if (await isDone(onDelete(deleted!.id))) reload();
  };
  return (
    <section className="mail-settings-things">
      <h2>{title}</h2>
      {things.length === 0 && <p className="quiet">{none}</p>}
      <ul className="mail-settings-list">
        {things.map((thing) => (
          <li key={thing.id} className="card">
            {thing.color !== undefined && <LabelDot color={thing.color} />}
            <strong className="grow">
              <bdi>{thing.name}</bdi>
            </strong>
            <span className="quiet small">{counted(thing.total, settingsWords.count)}</span>
            <Button aria-label={settingsWords.editNamed(thing.name)} onClick={() => setEdited(thing)}>
              {settingsWords.edit}
            </Button>
            <Button
              icon="trash"
              aria-label={settingsWords.deleteNamed(thing.name)}
              onClick={() => setDeleted(thing)}
            />
          </li>
        ))}
      </ul>
      <div className="buttons">
        <Button icon="plus" onClick={() => setEdited('new')}>
          {create}
        </Button>
      </div>
      {edited && (
        <NameDialog
          title={edited === 'new' ? create : settingsWords.editNamed(edited.name)}
          first={edited === 'new' ? { name: '', color: 0 } : { name: edited.name, color: edited.color ?? 0 }}
          hasColor={hasColor}
          onSave={save}
          onClose={() => setEdited(undefined)}
        />
      )}
      {deleted && (
        <Confirm
          title={settingsWords.deleteNamed(deleted.name)}
          yes={settingsWords.delete}
          no={shellWords.close}
          onYes={remove}
          onClose={() => setDeleted(undefined)}
        >
          <p>{deleteText}</p>
        </Confirm>
      )}
    </section>
  );
}
