import { useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { formatWhen } from '../i18n/format.ts';
import { PasswordDialog } from '../shell/password-dialog.tsx';
import { shellStrings } from '../shell/strings.ts';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { usePoll } from '../shell/use-poll.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Checkbox, Field, Select } from '../ui/field.tsx';
import { showToast } from '../ui/toasts.tsx';
import { AgentKeyCreateDocument, AgentKeyUseDocument, AgentSetupsDocument } from './generated.ts';
import { profileStrings } from './strings.ts';

export function AgentConnect() {
  const [isCreating, setCreating] = useState(false);
  return (
    <section className="card">
      <div className="profile-head">
        <h2>{profileStrings.connect}</h2>
        <Button icon="key" onClick={() => setCreating(true)}>
          {profileStrings.agentKeyCreate}
        </Button>
      </div>
      <p className="quiet">{profileStrings.connectText}</p>
      <Setup withKey={false} />
      {isCreating && <CreateKey onClose={() => setCreating(false)} />}
    </section>
  );
}

function CreateKey({ onClose }: { onClose(): void }) {
  const [createdKey, setMade] = useState<string>();
  const create = async (password: string, form: FormData) => {
    const name = String(form.get('name')).trim();
    const readOnly = form.has('readOnly');
    const { key, id } = (await runMutation(AgentKeyCreateDocument, { password, name, readOnly }))
      .agentKeyCreate;
    setMade(id);
    return key;
  };
  return (
    <PasswordDialog
      title={profileStrings.agentKeyCreate}
      yes={profileStrings.agentKeyCreate}
      warning={profileStrings.keyOnce}
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
        autoComplete="off"
        required
      />
      <Checkbox name="readOnly" label={profileStrings.readOnly} />
    </PasswordDialog>
  );
}

/** Shows whether a program has authenticated with the key. This can happen without a listed call. */
function KeyUse({ id }: { id: string }) {
  const { data, reload } = useGraphqlQuery(AgentKeyUseDocument, { id });
  const at = data?.apiKeys.nodes[0]?.lastUsedAt;
  usePoll(!at, reload);
  return (
    <p role="status">{at ? profileStrings.programCame(formatWhen(at)) : profileStrings.programAwaited}</p>
  );
}

/** Setup instructions for the selected program. */
function Setup({ withKey }: { withKey: boolean }) {
  const { data } = useGraphqlQuery(AgentSetupsDocument, { withKey });
  const [client, setClient] = useState('claude-code');
  const setups = data?.agentSetups ?? [];
  const setup = setups.find((each) => each.client === client);
  if (!setup) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(setup.text);
    showToast(shellStrings.copied);
  };
  return (
    <div className="setup">
      <Select
        label={profileStrings.program}
        value={client}
        options={setups.map((each) => [each.client, each.label])}
        onChange={({ target }) => setClient(target.value)}
      />
      <div className="setup-head">
        <p className="quiet small">{profileStrings.place(setup.place)}</p>
        {navigator.clipboard && <IconButton icon="copy" label={shellStrings.copy} onClick={copy} />}
      </div>
      <pre className="setup-text">{setup.text}</pre>
    </div>
  );
}
