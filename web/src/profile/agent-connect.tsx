import { useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { formatWhen } from '../i18n/format.ts';
import { PasswordDialog } from '../shell/password-dialog.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { usePoll } from '../shell/use-poll.ts';
import { shellWords } from '../shell/words.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Checkbox, Field, Select } from '../ui/field.tsx';
import { showToast } from '../ui/toasts.tsx';
import { AgentKeyCreateDocument, AgentKeyUseDocument, AgentSetupsDocument } from './generated.ts';
import { profileWords } from './words.ts';

/** How a program is connected: by signing in, or with a key that is made here. */
export function AgentConnect() {
  const [isCreating, setCreating] = useState(false);
  return (
    <section className="card">
      <div className="profile-head">
        <h2>{profileWords.connect}</h2>
        <Button icon="key" onClick={() => setCreating(true)}>
          {profileWords.agentKeyCreate}
        </Button>
      </div>
      <p className="quiet">{profileWords.connectText}</p>
      <Setup withKey={false} />
      {isCreating && <CreateKey onClose={() => setCreating(false)} />}
    </section>
  );
}

function CreateKey({ onClose }: { onClose(): void }) {
  const [made, setMade] = useState<string>();
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
      title={profileWords.agentKeyCreate}
      yes={profileWords.agentKeyCreate}
      warning={profileWords.keyOnce}
      onYes={create}
      onClose={onClose}
      after={
        <>
          <p>
            {profileWords.connectKeyText} {profileWords.connectKeyWhere}
          </p>
          <Setup withKey />
          {made && <KeyUse id={made} />}
        </>
      }
    >
      <p>{profileWords.agentKeyText}</p>
      <Field
        name="name"
        label={profileWords.agentKeyName}
        defaultValue={profileWords.agentKeyDefault}
        autoComplete="off"
        required
      />
      <Checkbox name="readOnly" label={profileWords.readOnly} />
    </PasswordDialog>
  );
}

/** Whether a program has come with the key, which it may do without a call that is listed. */
function KeyUse({ id }: { id: string }) {
  const { data, reload } = useGraphqlQuery(AgentKeyUseDocument, { id });
  const at = data?.apiKeys.nodes[0]?.lastUsedAt;
  usePoll(!at, reload);
  return <p role="status">{at ? profileWords.programCame(formatWhen(at)) : profileWords.programAwaited}</p>;
}

/** The text for a program that is chosen. */
function Setup({ withKey }: { withKey: boolean }) {
  const { data } = useGraphqlQuery(AgentSetupsDocument, { withKey });
  const [client, setClient] = useState('claude-code');
  const setups = data?.agentSetups ?? [];
  const setup = setups.find((each) => each.client === client);
  if (!setup) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(setup.text);
    showToast(shellWords.copied);
  };
  return (
    <div className="setup">
      <Select
        label={profileWords.program}
        value={client}
        options={setups.map((each) => [each.client, each.label])}
        onChange={({ target }) => setClient(target.value)}
      />
      <div className="setup-head">
        <p className="quiet small">{profileWords.place(setup.place)}</p>
        {navigator.clipboard && <IconButton icon="copy" label={shellWords.copy} onClick={copy} />}
      </div>
      <pre className="setup-text">{setup.text}</pre>
    </div>
  );
}
