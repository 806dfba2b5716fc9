import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { formatInstant } from '../../i18n/format.ts';
import { language } from '../../i18n/language.ts';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';
import { closeComposer, type OpenComposer } from '../composers.ts';
import { MailDraftDeleteDocument } from '../generated.ts';
import { undoSend } from '../undo-send.ts';
import { setDraftFiles } from './draft-files.ts';
import type { SaveState } from './draft-queue.ts';
import type { InitialMessage } from './initial-message.ts';
import { type FieldError, type FieldName, sendMessage } from './send.ts';
import { composerStrings } from './strings.ts';
import type { Editor, EditorOptions, Tool } from './text/editor.ts';
import type { PictureStore } from './text/pictures.ts';
import { useDraftQueue } from './use-draft-queue.ts';
import { useFiles } from './use-files.ts';

interface ComposerOptions {
  composer: OpenComposer;
  initialMessage: InitialMessage;
  /** Allows formatting, attachments, Cc and Bcc. */
  isRich: boolean;
  pictures: PictureStore;
  /** Restarts the composer with the server's version of the draft. */
  onTheirs(draft: string): void;
  onChange(): void;
}

interface MessageHead {
  mailbox: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
}

/** The state of one composer: header, body, attachments, saving and sending. */
export function useComposer({
  composer,
  initialMessage,
  isRich,
  pictures,
  onTheirs,
  onChange,
}: ComposerOptions) {
  const { key } = composer;
  const { mailbox, to, cc, bcc, subject } = initialMessage;
  const [head, setHead] = useState<MessageHead>({ mailbox, to, cc, bcc, subject });
  const [copies, setCopies] = useState(cc.length + bcc.length > 0);
  const [saving, setSaving] = useState<SaveState>('unchanged');
  const [error, setError] = useState<FieldError | null>(null);
  const [isSending, setIsSending] = useState(false);
  const [signs, setSigns] = useState(true);
  const [used, setUsed] = useState<Tool[]>([]);
  const [quote, setQuote] = useState(initialMessage.quote);
  const editor = useRef<Editor | null>(null);
  const [isReady, setIsReady] = useState(false);
  const untouchedObject = useRef('');
  const isTouched = useRef(false);
  const files = useFiles();
  const toField = useRef<HTMLInputElement>(null);
  const now = useRef({ head, quote });
  now.current = { head, quote };
  const queue = useDraftQueue(key, initialMessage, onChange, (state, message) => {
    setSaving(state);
    if (message) setError({ field: 'form', message });
  });

  /** An unedited body keeps its original markup, because the editor normalizes HTML. */
  const html = (): string => {
    const html = editor.current?.getHtml() ?? untouchedObject.current;
    return (html === untouchedObject.current ? initialMessage.content : html) + now.current.quote;
  };
  const isTextUnchanged = () => html() === initialMessage.content + initialMessage.quote;
  const isEmptied = () =>
    initialMessage.content === '' &&
    editor.current?.isEmpty() === true &&
    now.current.quote === initialMessage.quote;
  const isUnchanged = () =>
    (isTextUnchanged() || isEmptied()) &&
    files.all.length <= initialMessage.files.length + initialMessage.filesToFetch.length &&
    JSON.stringify(toDraftValues(now.current.head)) === JSON.stringify(toDraftValues(initialMessage));
  const saveChanges = (head: MessageHead) => {
    // The editor also reports the initial content as a change, and an unedited message is not saved as a draft.
    if (!isTouched.current && isUnchanged()) return;
    isTouched.current = true;
    const values = toDraftValues(head);
    queue.change(isTextUnchanged() && initialMessage.draft ? values : { ...values, body: html() });
  };
  const changeHead = (changes: Partial<MessageHead>) => {
    const next = { ...now.current.head, ...changes };
    now.current.head = next;
    setHead(next);
    setError(null);
    saveChanges(next);
  };
  const addFiles = (addedFiles: readonly File[]) => void files.add(addedFiles, now.current.head.mailbox);
  const addPictures = async (addedFiles: readonly File[]) => {
    // The file dialog also offers other files if the user removes its filter.
    const images = addedFiles.filter(({ type }) => type.startsWith('image/'));
    for (const { name } of addedFiles.filter((file) => !images.includes(file)))
      showErrorToast(composerStrings.notImage(name));
    const staged = await files.add(images, now.current.head.mailbox);
    for (const [index, item] of staged.entries())
      if (item) editor.current?.insertPicture(item.id, pictures.add(item.id, images[index]!), item.name);
  };
  const ready = () => {
    untouchedObject.current = editor.current!.getHtml();
    setIsReady(true);
    if (initialMessage.to.length > 0) editor.current!.focus();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: uses the initial value once
  useEffect(() => {
    if (initialMessage.to.length === 0) toField.current?.focus();
    files.addStaged(initialMessage.files);
    void files.fetchAndAdd(initialMessage.filesToFetch, initialMessage.mailbox);
  }, []);
  const ids = files.all.flatMap(({ staged }) => staged?.id ?? []).join(',');
  const draftId = queue.draft?.id;
  useEffect(() => {
    if (draftId) setDraftFiles(draftId, ids ? ids.split(',') : []);
    else if (ids) latest.current.changed(now.current.head);
  }, [draftId, ids]);

  const leave = async () => {
    if (!initialMessage.draft && isUnchanged()) return discard();
    closeComposer(key);
    await queue.flush();
    queue.stop();
    onChange();
  };
  const discard = async () => {
    closeComposer(key);
    queue.discard();
    await queue.runAfterSaves(async (draft) => {
      if (!draft) return;
      const { mailDraftDelete: deletion } = await runMutation(MailDraftDeleteDocument, { id: draft.id });
      if (!deletion.ok) showErrorToast(deletion.error ?? '');
      setDraftFiles(draft.id, []);
    });
    for (const file of files.all) files.remove(file);
    onChange();
  };
  const send = async (sendAt?: Date) => {
    if (isSending) return;
    const { head } = now.current;
    if (head.to.length === 0) {
      setError({ field: 'to', message: composerStrings.recipientRequired });
      toField.current?.focus();
      return;
    }
    setIsSending(true);
    const attached = await files.waitForUploads();
    saveChanges(head);
    const sentResult = (await queue.flush())
      ? await queue.runAfterSaves((draft) =>
          sendMessage({
            mailbox: head.mailbox,
            subject: head.subject,
            ...joinRecipients(head),
            ...(isRich ? { html: html() } : { body: editor.current?.getText() ?? '' }),
            inReplyTo: initialMessage.inReplyTo,
            draft: draft?.id ?? null,
            files: attached,
            sign: signs,
            sendAt: sendAt?.toISOString() ?? null,
          }),
        )
      : null;
    setIsSending(false);
    if (!sentResult) return;
    if ('error' in sentResult) {
      setError(sentResult.error);
      if (sentResult.error.field === 'cc' || sentResult.error.field === 'bcc') setCopies(true);
      return;
    }
    queue.discard();
    if (draftId) setDraftFiles(draftId, []);
    closeComposer(key);
    const notice = sendAt
      ? composerStrings.scheduled(formatInstant(sentResult.sendAt))
      : composerStrings.sent;
    showToast(notice, {
      label: composerStrings.undo,
      run: () => void undoSend(sentResult.outgoing).then(onChange),
    });
    onChange();
  };
  const press = (event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'preventDefault'>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
    } else if (event.key === 'Escape') void leave();
  };
  // The iframe keeps its initial callbacks, so they read the current ones through a ref.
  const latest = useRef({ press, changed: saveChanges, addFiles, addPictures });
  latest.current = { press, changed: saveChanges, addFiles, addPictures };
  const [options] = useState<EditorOptions>(() => ({
    label: composerStrings.text,
    quoteLabel: composerStrings.quote,
    language,
    content: initialMessage.content,
    quote: initialMessage.quote,
    pictures,
    onChange: () => latest.current.changed(now.current.head),
    onMove: () => setUsed(editor.current?.getActiveTools() ?? []),
    onKey: (event: globalThis.KeyboardEvent) => latest.current.press(event),
    onFiles(addedFiles: File[], isPasted: boolean) {
      if (!isRich) return;
      const areShown =
        isPasted && addedFiles.every(({ type }) => /^image\/(?:png|jpeg|gif|webp)$/.test(type));
      if (areShown) void latest.current.addPictures(addedFiles);
      else latest.current.addFiles(addedFiles);
    },
  }));
  return {
    head,
    put: changeHead,
    copies,
    showCopies: () => setCopies(true),
    errorOf: (field: FieldName) => (error?.field === field ? error.message : null),
    saving,
    keepMine: () => void queue.keepMine(),
    takeTheirs() {
      const { id } = queue.draft!;
      queue.discard();
      onTheirs(id);
    },
    files,
    addFiles,
    addPictures,
    frame: { options, editor, onReady: ready },
    editor: isReady ? editor.current : null,
    used,
    hasQuote: quote !== '',
    editQuote() {
      now.current.quote = '';
      setQuote('');
      editor.current?.editQuote();
    },
    signs,
    setSigns,
    toField,
    isSending,
    send,
    leave,
    discard,
    press,
  };
}

export type ComposerState = ReturnType<typeof useComposer>;

const toDraftValues = ({ mailbox, subject, ...people }: MessageHead) => ({
  mailbox,
  subject,
  ...joinRecipients(people),
});

const joinRecipients = ({ to, cc, bcc }: Pick<MessageHead, 'to' | 'cc' | 'bcc'>) => ({
  to: to.join(', '),
  cc: cc.join(', '),
  bcc: bcc.join(', '),
});
