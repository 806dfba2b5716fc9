import '../composer/composer.css';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { language } from '../../i18n/language.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Loading } from '../../shell/loading.tsx';
import { Failed } from '../../shell/screen.tsx';
import { Unsaved } from '../../shell/unsaved.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { say } from '../../ui/toasts.tsx';
import type { Editor, Tool } from '../composer/text/editor.ts';
import { EditorFrame } from '../composer/text/editor-frame.tsx';
import { pictures } from '../composer/text/pictures.ts';
import { Toolbar } from '../composer/text/toolbar.tsx';
import {
  MailProfileSaveDocument,
  MailSignatureDocument,
  MailSignaturePrefsDocument,
  type MailSignatureQuery,
  MailSignatureSaveDocument,
} from './generated.ts';
import { wrongOf } from './outcome.ts';
import { settingsWords } from './words.ts';

/** The name that mail is sent with, and what stands below it. */
export function Signature({ mailbox }: { mailbox: string }) {
  const { data, refusal, reload } = useAnswer(MailSignatureDocument, {});
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  const account = data?.mailState.accounts.find(({ id }) => id === mailbox);
  if (!data || !account) return <Loading />;
  return <Form account={account} prefs={data.mailState.prefs} onSaved={reload} />;
}

interface FormProps {
  account: MailSignatureQuery['mailState']['accounts'][number];
  prefs: MailSignatureQuery['mailState']['prefs'];
  onSaved(): void;
}

interface Wrong {
  field: 'name' | 'signature' | 'form';
  message: string;
}

function Form({ account, prefs, onSaved }: FormProps) {
  const editor = useRef<Editor | null>(null);
  const [isReady, setReady] = useState(false);
  const [used, setUsed] = useState<Tool[]>([]);
  const [isDirty, setDirty] = useState(false);
  const [wrong, setWrong] = useState<Wrong>();
  const [isBusy, setBusy] = useState(false);
  const isOwner = account.role === 'owner';
  const { id: mailbox } = account;
  const [first] = useState(account.signature);
  const options = useMemo(
    () => ({
      label: settingsWords.signature,
      quoteLabel: '',
      language,
      written: first,
      quote: '',
      pictures: pictures(),
      onChange: () => setDirty(true),
      onMove: () => setUsed(editor.current?.used() ?? []),
      onKey() {},
      onFiles() {},
    }),
    [first],
  );
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name));
    setBusy(true);
    const refused = await saveAll(text);
    setBusy(false);
    setWrong(refused);
    if (refused) return;
    setDirty(false);
    say(settingsWords.saved);
    onSaved();
  };
  async function saveAll(text: (name: string) => string): Promise<Wrong | undefined> {
    const named =
      isOwner &&
      (await wrongOf(
        change(MailProfileSaveDocument, { mailbox, name: text('name') }).then((done) => done.mailProfileSave),
      ));
    if (typeof named === 'string') return { field: 'name', message: named };
    const signature = signatureOf(editor.current);
    const signed =
      signature !== null &&
      (await wrongOf(
        change(MailSignatureSaveDocument, { mailbox, signature }).then((done) => done.mailSignatureSave),
      ));
    if (typeof signed === 'string') return { field: 'signature', message: signed };
    const placed = { policy: text('policy'), placement: text('placement') };
    const kept = await wrongOf(
      change(MailSignaturePrefsDocument, placed).then((done) => done.mailPreferencesSave),
    );
    return kept === null ? undefined : { field: 'form', message: kept };
  }
  const choices = <Key extends string>(words: Record<Key, string>) =>
    Object.entries(words) as [Key, string][];
  return (
    <form className="card mail-settings-form" onSubmit={save} onChange={() => setDirty(true)}>
      <Field
        name="name"
        label={settingsWords.senderName}
        hint={isOwner ? undefined : settingsWords.notOwner}
        defaultValue={account.name}
        disabled={!isOwner}
        required
        maxLength={100}
        autoComplete="off"
        error={wrong?.field === 'name' ? wrong.message : null}
      />
      <fieldset className="mail-signature">
        <legend>{settingsWords.signature}</legend>
        <p className="quiet small">{settingsWords.signatureText}</p>
        <Toolbar editor={isReady ? editor.current : null} used={used} />
        <EditorFrame
          title={settingsWords.signature}
          options={options}
          editor={editor}
          onReady={() => setReady(true)}
        />
      </fieldset>
      <div className="rule-part">
        <Choice
          name="policy"
          label={settingsWords.signaturePolicy}
          defaultValue={prefs.signaturePolicy}
          options={choices(settingsWords.signaturePolicies)}
        />
        <Choice
          name="placement"
          label={settingsWords.signaturePlacement}
          defaultValue={prefs.signaturePlacement}
          options={choices(settingsWords.signaturePlacements)}
        />
      </div>
      {wrong && wrong.field !== 'name' && (
        <p className="wrong" role="alert">
          {wrong.message}
        </p>
      )}
      <div className="buttons">
        <Button type="submit" look="primary" isBusy={isBusy}>
          {settingsWords.save}
        </Button>
      </div>
      <Unsaved isDirty={isDirty} />
    </form>
  );
}

/** Nothing that can be seen is no signature; null before there is an editor. */
function signatureOf(editor: Editor | null): string | null {
  if (!editor) return null;
  return editor.isEmpty() ? '' : editor.html();
}
