import '../composer/composer.css';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { language } from '../../i18n/language.ts';
import { Loading } from '../../shell/loading.tsx';
import { LoadError } from '../../shell/screen.tsx';
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { Editor, Tool } from '../composer/text/editor.ts';
import { EditorFrame } from '../composer/text/editor-frame.tsx';
import { createPictureStore } from '../composer/text/pictures.ts';
import { Toolbar } from '../composer/text/toolbar.tsx';
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

interface SignatureError {
  field: 'name' | 'signature' | 'form';
  message: string;
}

function SignatureForm({ account, prefs, onSaved }: SignatureFormProps) {
  const editor = useRef<Editor | null>(null);
  const [isReady, setIsReady] = useState(false);
  const [used, setUsed] = useState<Tool[]>([]);
  const [isDirty, setIsDirty] = useState(false);
  const [formError, setFormError] = useState<SignatureError>();
  const [isBusy, setIsBusy] = useState(false);
  const isOwner = account.role === 'owner';
  const { id: mailbox } = account;
  const [first] = useState(account.signature);
  const options = useMemo(
    () => ({
      label: settingsStrings.signature,
      quoteLabel: '',
      language,
      content: first,
      quote: '',
      pictures: createPictureStore(),
      onChange: () => setIsDirty(true),
      onMove: () => setUsed(editor.current?.getActiveTools() ?? []),
      onKey() {},
      onFiles() {},
    }),
    [first],
  );
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    const text = (name: string) => String(formData.get(name));
    setIsBusy(true);
    const error = await saveAll(text);
    setIsBusy(false);
    setFormError(error);
    if (error) return;
    setIsDirty(false);
    showToast(settingsStrings.saved);
    onSaved();
  };
  async function saveAll(text: (name: string) => string): Promise<SignatureError | undefined> {
    const profileError =
      isOwner &&
      (await getChangeError(
        runMutation(MailProfileSaveDocument, { mailbox, name: text('name') }).then(
          (data) => data.mailProfileSave,
        ),
      ));
    if (typeof profileError === 'string') return { field: 'name', message: profileError };
    const signature = getSignature(editor.current);
    const signed =
      signature !== null &&
      (await getChangeError(
        runMutation(MailSignatureSaveDocument, { mailbox, signature }).then((data) => data.mailSignatureSave),
      ));
    if (typeof signed === 'string') return { field: 'signature', message: signed };
    const preferences = { policy: text('policy'), placement: text('placement') };
    const preferencesError = await getChangeError(
      runMutation(MailSignaturePrefsDocument, preferences).then((data) => data.mailPreferencesSave),
    );
    return preferencesError === null ? undefined : { field: 'form', message: preferencesError };
  }
  const toOptions = <Key extends string>(strings: Record<Key, string>) =>
    Object.entries(strings) as [Key, string][];
  return (
    <form className="card mail-settings-form" onSubmit={save} onChange={() => setIsDirty(true)}>
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
        <Toolbar editor={isReady ? editor.current : null} used={used} />
        <EditorFrame
          title={settingsStrings.signature}
          options={options}
          editor={editor}
          onReady={() => setIsReady(true)}
        />
      </fieldset>
      <div className="rule-part">
        <Select
          name="policy"
          label={settingsStrings.signaturePolicy}
          defaultValue={prefs.signaturePolicy}
          options={toOptions(settingsStrings.signaturePolicies)}
        />
        <Select
          name="placement"
          label={settingsStrings.signaturePlacement}
          defaultValue={prefs.signaturePlacement}
          options={toOptions(settingsStrings.signaturePlacements)}
        />
      </div>
      {formError && formError.field !== 'name' && (
        <p className="wrong" role="alert">
          {formError.message}
        </p>
      )}
      <div className="buttons">
        <Button type="submit" look="primary" isBusy={isBusy}>
          {settingsStrings.save}
        </Button>
      </div>
      <UnsavedGuard isDirty={isDirty} />
    </form>
  );
}

/** Empty if the signature has no visible content. Null until the editor has loaded. */
function getSignature(editor: Editor | null): string | null {
  if (!editor) return null;
  return editor.isEmpty() ? '' : editor.getHtml();
}
