import { useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { formatWhen } from '../i18n/format.ts';
import { DialogOpener } from '../shell/action-buttons.tsx';
import { PasswordDialog } from '../shell/dialogs/password-dialog.tsx';
import { shellStrings } from '../shell/strings.ts';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { usePoll } from '../shell/use-poll.ts';
import { IconButton } from '../ui/button.tsx';
import { Checkbox, Field, Select } from '../ui/form/field.tsx';
import { showToast } from '../ui/toasts.tsx';
import { AgentKeyCreateDocument, AgentKeyUseDocument, AgentSetupsDocument } from './generated.ts';
import { profileStrings } from './strings.ts';

export const AgentConnectionSetup = () => (
  <section className="card">
    <div className="section-head">
      <h2>{profileStrings.connectProgram}</h2>
      <DialogOpener icon="key" label={profileStrings.createAgentKey}>
        {(onClose) => <CreateKeyDialog onClose={onClose} />}
      </DialogOpener>
    </div>
    <p className="quiet">{profileStrings.connectText}</p>
    <Setup withKey={false} />
  </section>
);

function CreateKeyDialog({ onClose }: { onClose(): void }) {
  const [createdKey, setCreatedKey] = useState<string>();
  const create = async (password: string, form: FormData) => {
    const name = String(form.get('name')).trim();
    const readOnly = form.has('readOnly');
    const { key, id } = (await runMutation(AgentKeyCreateDocument, { password, name, readOnly }))
      .agentKeyCreate;
    setCreatedKey(id);
    return key;
  };
  return (
    <PasswordDialog
      title={profileStrings.createAgentKey}
      yes={profileStrings.createAgentKey}
      warning={profileStrings.keyShownOnce}
      onYes={create}
      onClose={onClose}
      after={
        <>
          <p>
            {profileStrings.connectKeyText} {profileStrings.connectKeyWhere}
          </p>
          <Setup withKey />
          {createdKey && <KeyUse id={createdKey} />}
        </>
      }
    >
      <p>{profileStrings.agentKeyText}</p>
      <Field
        name="name"
        label={profileStrings.agentKeyName}
        defaultValue={profileStrings.agentKeyDefault}
        required
      />
      <Checkbox name="readOnly" label={profileStrings.readOnly} />
    </PasswordDialog>
  );
}

/** Shows whether a program has authenticated with the key, even if no calls are listed. */
function KeyUse({ id }: { id: string }) {
  const { data, reload } = useGraphqlQuery(AgentKeyUseDocument, { id });
  const at = data?.apiKeys.nodes[0]?.lastUsedAt;
  usePoll(!at, reload);
  return (
    <p role="status">
      {at ? profileStrings.programConnected(formatWhen(at)) : profileStrings.waitingForProgram}
    </p>
  );
}

function Setup({ withKey }: { withKey: boolean }) {
  const { data } = useGraphqlQuery(AgentSetupsDocument, { withKey });
  const [client, setClient] = useState('claude-code');
  const setups = data?.agentSetups ?? [];
  const setup = setups.find((setup) => setup.client === client);
  if (!setup) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(setup.text);
    showToast(shellStrings.copied);
  };
  return (
    <div className="stack">
      <Select
        label={profileStrings.program}
        value={client}
        options={setups.map((setup) => [setup.client, setup.label])}
        onChange={({ target }) => setClient(target.value)}
      />
      <div className="section-head">
        <p className="quiet small">{profileStrings.pasteTarget(setup.place)}</p>
        {navigator.clipboard && <IconButton icon="copy" label={shellStrings.copy} onClick={copy} />}
      </div>
      <pre className="setup-text">{setup.text}</pre>
    </div>
  );
}
