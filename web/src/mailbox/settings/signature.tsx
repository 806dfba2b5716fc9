import '../composer/composer.css';
import { type FormEvent, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { Loading } from '../../shell/loading.tsx';
import { LoadError } from '../../shell/screen.tsx';
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { Editor } from '../composer/text/editor.ts';
import { EditorFrame } from '../composer/text/editor-frame.tsx';
import { createPictureStore } from '../composer/text/pictures.ts';
import { Toolbar } from '../composer/text/toolbar.tsx';
import { useEditor } from '../composer/text/use-editor.ts';
import { getChangeError } from './change-outcome.ts';
import {
  MailProfileSaveDocument,
  MailSignatureDocument,
  MailSignaturePrefsDocument,
  type MailSignatureQuery,
  MailSignatureSaveDocument,
} from './generated.ts';
import { settingsStrings } from './strings.ts';

export function Signature({ mailbox }: { mailbox: string }) {
  const { data, refusal, reload } = useGraphqlQuery(MailSignatureDocument, {});
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  const account = data?.mailState.accounts.find(({ id }) => id === mailbox);
  if (!data || !account) return <Loading />;
  return <SignatureForm account={account} prefs={data.mailState.prefs} onSaved={reload} />;
}

interface SignatureFormProps {
  account: MailSignatureQuery['mailState']['accounts'][number];
  prefs: MailSignatureQuery['mailState']['prefs'];
  onSaved(): void;
}

function SignatureForm({ account, prefs, onSaved }: SignatureFormProps) {
  const { isOwner, text, isBusy, isDirty, formError, markDirty, save } = useSignatureForm(account, onSaved);
  return (
    <form className="card mail-settings-form" onSubmit={save} onChange={markDirty}>
      <Field
        name="name"
        label={settingsStrings.senderName}
        hint={isOwner ? undefined : settingsStrings.ownerOnlyHint}
        defaultValue={account.name}
        disabled={!isOwner}
        required
        maxLength={100}
        autoComplete="off"
        error={formError?.field === 'name' ? formError.message : null}
      />
      <fieldset className="mail-signature">
        <legend>{settingsStrings.signature}</legend>
        <p className="quiet small">{settingsStrings.signatureText}</p>
        <Toolbar {...text.tools} />
        <EditorFrame {...text.frame} />
      </fieldset>
      <div className="rule-part">
        <Select
          name="policy"
          label={settingsStrings.signaturePolicy}
          defaultValue={prefs.signaturePolicy}
          options={Object.entries(settingsStrings.signaturePolicies)}
        />
        <Select
          name="placement"
          label={settingsStrings.signaturePlacement}
          defaultValue={prefs.signaturePlacement}
          options={Object.entries(settingsStrings.signaturePlacements)}
        />
      </div>
      <FormError message={formError?.field === 'form' ? formError.message : null} />
      <div className="buttons">
        <Button type="submit" look="primary" isBusy={isBusy}>
          {settingsStrings.save}
        </Button>
      </div>
      <UnsavedGuard isDirty={isDirty} />
    </form>
  );
}

interface SignatureError {
  field: 'name' | 'form';
  message: string;
}

function useSignatureForm(account: SignatureFormProps['account'], onSaved: () => void) {
  const { id: mailbox, role } = account;
  const isOwner = role === 'owner';
  const [isDirty, setIsDirty] = useState(false);
  const [formError, setFormError] = useState<SignatureError>();
  const [isBusy, setIsBusy] = useState(false);
  const [pictures] = useState(createPictureStore);
  const markDirty = () => setIsDirty(true);
  const text = useEditor(
    { label: settingsStrings.signature, quoteLabel: '', content: account.signature, quote: '', pictures },
    { onChange: markDirty, onKey() {}, onFiles() {} },
  );
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    setIsBusy(true);
    const error = await saveSignature(mailbox, isOwner, formData, getSignature(text.editor.current));
    setIsBusy(false);
    setFormError(error);
    if (error) return;
    setIsDirty(false);
    showToast(settingsStrings.saved);
    onSaved();
  };
  return { isOwner, text, isBusy, isDirty, formError, markDirty, save };
}

/** Returns an empty string if the signature has no visible content, or null while the editor is loading. */
function getSignature(editor: Editor | null): string | null {
  if (!editor) return null;
  return editor.isEmpty() ? '' : editor.getHtml();
}

/** Saves the sender's name, the signature and the preferences sequentially. Stops at the first error. */
async function saveSignature(
  mailbox: string,
  isOwner: boolean,
  formData: FormData,
  signature: string | null,
): Promise<SignatureError | undefined> {
  const getText = (name: string) => String(formData.get(name));
  if (isOwner) {
    const profile = runMutation(MailProfileSaveDocument, { mailbox, name: getText('name') });
    const message = await getChangeError(profile.then((data) => data.mailProfileSave));
    if (message !== null) return { field: 'name', message };
  }
  if (signature !== null) {
    const change = runMutation(MailSignatureSaveDocument, { mailbox, signature });
    const message = await getChangeError(change.then((data) => data.mailSignatureSave));
    if (message !== null) return { field: 'form', message };
  }
  const preferences = { policy: getText('policy'), placement: getText('placement') };
  const change = runMutation(MailSignaturePrefsDocument, preferences);
  const message = await getChangeError(change.then((data) => data.mailPreferencesSave));
  return message === null ? undefined : { field: 'form', message };
}
