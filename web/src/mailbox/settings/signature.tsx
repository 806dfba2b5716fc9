import '../composer/composer.css';
import { useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { ActionForm } from '../../shell/action-form.tsx';
import { Loading } from '../../shell/loading.tsx';
import { LoadError } from '../../shell/screen.tsx';
import { UnsavedGuard } from '../../shell/unsaved/unsaved-guard.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Field, Select } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { Editor } from '../composer/text/editor.ts';
import { EditorFrame } from '../composer/text/editor-frame.tsx';
import { createPictureStore } from '../composer/text/pictures.ts';
import { Toolbar } from '../composer/text/toolbar.tsx';
import { useEditor } from '../composer/text/use-editor.ts';
import { assertOk } from '../mail-outcome.ts';
import { MailSignatureDocument, type MailSignatureQuery, MailSignatureSaveDocument } from './generated.ts';
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
  const { isOwner, text, isDirty, markDirty, save } = useSignatureForm(account, onSaved);
  return (
    <ActionForm
      version={account.version}
      className="card mail-settings-form"
      submit={settingsStrings.save}
      onSubmit={save}
      onChange={markDirty}
    >
      <Field
        name="name"
        label={settingsStrings.senderName}
        hint={isOwner ? undefined : settingsStrings.ownerOnlyHint}
        defaultValue={account.name}
        disabled={!isOwner}
        required
        maxLength={100}
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
      <UnsavedGuard isDirty={isDirty} />
    </ActionForm>
  );
}

function useSignatureForm(account: SignatureFormProps['account'], onSaved: () => void) {
  const { id: mailbox, role } = account;
  const isOwner = role === 'owner';
  const [isDirty, setIsDirty] = useState(false);
  const [pictures] = useState(createPictureStore);
  const markDirty = () => setIsDirty(true);
  const text = useEditor(
    { label: settingsStrings.signature, quoteLabel: '', content: account.signature, quote: '', pictures },
    { onChange: markDirty, onKey() {}, onFiles() {} },
  );
  const save = async (form: FormData, expectedVersion?: number) => {
    const signature = getSignature(text.editor.current);
    const version = await saveSignature(form, { mailbox, isOwner, signature, expectedVersion });
    setIsDirty(false);
    showToast(settingsStrings.saved);
    onSaved();
    return version;
  };
  return { isOwner, text, isDirty, markDirty, save };
}

/** Returns an empty string if the signature has no visible content, or null while the editor is loading. */
function getSignature(editor: Editor | null): string | null {
  if (!editor) return null;
  return editor.isEmpty() ? '' : editor.getHtml();
}

interface SignatureEdit {
  mailbox: string;
  isOwner: boolean;
  /** Null to keep the stored signature. */
  signature: string | null;
  expectedVersion: number | undefined;
}

/** Saves the signature, the sender's name and the preferences. @returns the new version of the signature */
async function saveSignature(
  form: FormData,
  { signature, ...edit }: SignatureEdit,
): Promise<number | null | undefined> {
  const result = await runMutation(MailSignatureSaveDocument, {
    ...edit,
    hasSignature: signature !== null,
    signature: signature ?? '',
    name: getText(form, 'name'),
    policy: getText(form, 'policy'),
    placement: getText(form, 'placement'),
  });
  if (result.mailSignatureSave) assertOk(result.mailSignatureSave);
  if (result.mailProfileSave) assertOk(result.mailProfileSave, 'name');
  assertOk(result.mailPreferencesSave);
  return result.mailSignatureSave?.version;
}
