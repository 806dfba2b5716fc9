import { useState } from 'react';
import { runMutation } from '../../../graphql/client.ts';
import { DialogForm } from '../../../shell/dialogs/form-dialog.tsx';
import { LoadStatus } from '../../../shell/loading.tsx';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { useViewer } from '../../../shell/viewer.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field, Select } from '../../../ui/form/field.tsx';
import { getText } from '../../../ui/form/form.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { assertOk } from '../../mail-outcome.ts';
import { settingsStrings } from '../strings.ts';
import { SharedCreateDocument, SharedDomainsDocument, SharedMailboxesDocument } from './generated.ts';
import { SharedMembers } from './members.tsx';

export function Sharing() {
  const { data, refusal, reload } = useGraphqlQuery(SharedMailboxesDocument, {});
  const { can } = useViewer();
  const [isNew, setIsNew] = useState(false);
  const [openId, setOpenId] = useState<string>();
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const shared = data.mailState.accounts.filter(({ kind }) => kind === 'shared');
  // A new mailbox needs a domain, so only users with access to domains can create one.
  const canCreate = can.has('sendingDomains');
  const open = shared.find(({ id }) => id === openId);
  return (
    <>
      {canCreate ? (
        <div className="buttons">
          <Button look="primary" icon="plus" onClick={() => setIsNew(true)}>
            {settingsStrings.newSharedMailbox}
          </Button>
        </div>
      ) : (
        <p className="quiet">{settingsStrings.createNotAllowed}</p>
      )}
      {shared.length === 0 && (
        <EmptyState title={settingsStrings.noSharedMailboxes} text={settingsStrings.noSharedMailboxesText} />
      )}
      <ul className="card-list">
        {shared.map(({ id, name, email, role }) => (
          <li key={id} className="card">
            <div className="grow">
              <strong>
                <bdi>{name}</bdi>
              </strong>
              <p className="quiet small">{email}</p>
            </div>
            <span className="quiet small">{settingsStrings.roles[role] ?? role}</span>
            {role !== 'member' && (
              <Button aria-label={settingsStrings.membersOf(email)} onClick={() => setOpenId(id)}>
                {settingsStrings.members}…
              </Button>
            )}
          </li>
        ))}
      </ul>
      {isNew && <NewSharedMailbox onCreated={reload} onClose={() => setIsNew(false)} />}
      {open && <SharedMembers mailbox={open.id} email={open.email} onClose={() => setOpenId(undefined)} />}
    </>
  );
}

function NewSharedMailbox({ onCreated, onClose }: { onCreated(): void; onClose(): void }) {
  const { data, refusal, reload } = useGraphqlQuery(SharedDomainsDocument, {});
  const { viewer } = useViewer();
  const domains = (data?.sendingDomains.nodes ?? []).filter(({ status }) => status === 'SUCCESS');
  const create = async (form: FormData) => {
    const { mailboxCreateShared } = await runMutation(SharedCreateDocument, {
      local: getText(form, 'local'),
      name: getText(form, 'name'),
      domain: getText(form, 'domain'),
      members: viewer.userId ? [viewer.userId] : [],
    });
    showToast(settingsStrings.mailboxCreated(assertOk(mailboxCreateShared).email ?? ''));
    onCreated();
  };
  return (
    <Dialog title={settingsStrings.newSharedMailbox} onClose={onClose}>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && domains.length === 0 && <p>{settingsStrings.noDomain}</p>}
      {domains.length > 0 && (
        <DialogForm
          submit={settingsStrings.newSharedMailbox}
          errorField="local"
          onSubmit={create}
          onClose={onClose}
        >
          <Field name="name" label={settingsStrings.name} required autoFocus maxLength={100} />
          <Field name="local" label={settingsStrings.address} required maxLength={64} autoCapitalize="off" />
          <Select
            name="domain"
            label={settingsStrings.domain}
            options={domains.map(({ id, name }) => [id, `@${name}`] as const)}
          />
        </DialogForm>
      )}
    </Dialog>
  );
}
