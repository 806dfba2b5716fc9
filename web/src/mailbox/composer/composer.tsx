import { type DragEvent, useEffect, useMemo, useState } from 'react';
import { RequestError } from '../../graphql/request-error.ts';
import { DialogOpener } from '../../shell/action-buttons.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/form/field.tsx';
import { FileIconButton } from '../../ui/form/file-button.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';
import { closeComposer, type OpenComposer, resizeComposer } from '../composers.ts';
import type { DraftQueue } from './draft-queue.ts';
import { FileList } from './files.tsx';
import { ComposerHead, type Sender } from './head.tsx';
import {
  type ComposerMailboxes,
  type InitialMessage,
  loadDraft,
  loadInitialMessage,
} from './initial-message.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { composerStrings } from './strings.ts';
import { EditorFrame } from './text/editor-frame.tsx';
import { createPictureStore as createPictures, type PictureStore } from './text/pictures.ts';
import { Toolbar } from './text/toolbar.tsx';
import { type ComposerState, useComposer } from './use-composer.ts';

interface ComposerProps {
  composer: OpenComposer;
  senders: readonly Sender[];
  mailboxes: ComposerMailboxes;
  onChange(): void;
}

/** Loads the initial message, then shows the composer window. */
export function Composer(props: ComposerProps) {
  const { composer, mailboxes } = props;
  const pictures = useMemo(createPictures, []);
  const [initial, setInitial] = useState<InitialMessage | null>(null);
  const [round, setRound] = useState(0);
  const { key, start } = composer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads the initial message once
  useEffect(() => {
    let isUnmounted = false;
    loadInitialMessage(start, mailboxes, pictures).then(
      (first) => !isUnmounted && setInitial(first),
      (error: unknown) => {
        showErrorToast(error instanceof RequestError ? error.failure.message : String(error));
        closeComposer(key);
      },
    );
    return () => {
      isUnmounted = true;
    };
  }, []);
  useEffect(() => () => pictures.release(), [pictures]);
  const restart = async (draft: string) => {
    setInitial(await loadDraft(draft));
    setRound(round + 1);
  };
  if (!initial) return <div className={`composer ${composer.size}`} />;
  return (
    <ComposerWindow key={round} {...props} initialMessage={initial} pictures={pictures} onTheirs={restart} />
  );
}

interface ComposerWindowProps extends ComposerProps {
  initialMessage: InitialMessage;
  pictures: PictureStore;
  onTheirs(draft: string): void;
}

function ComposerWindow(props: ComposerWindowProps) {
  const { composer, senders, initialMessage, pictures, onTheirs, onChange } = props;
  const { isRich } = props.mailboxes;
  const writing = useComposer({ composer: composer.key, initialMessage, isRich, pictures, onChange });
  const { head, files, saving, text } = writing;
  const title = head.subject ? composerStrings.title(head.subject) : composerStrings.newMessage;
  const drop = (event: DragEvent) => {
    if (!isRich || event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void writing.addFiles([...event.dataTransfer.files]);
  };
  const isAnswer = initialMessage.inReplyTo !== null;
  const formError = writing.getFieldError('form');
  const sender = senders.find(({ id }) => id === head.mailbox);
  return (
    <div
      role="dialog"
      className={`composer ${composer.size}`}
      aria-label={title}
      onKeyDown={(event) => {
        // Handles only keys in the composer. React also bubbles events from dialogs that the composer has opened.
        if (event.currentTarget.contains(event.target as Node)) writing.press(event);
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <ComposerBar title={title} composer={composer} onLeave={writing.draft.leave} />
      <div className="composer-inside">
        <ComposerHead writing={writing} senders={senders} isRich={isRich} isAnswer={isAnswer} />
        {saving === 'changed' && <DraftConflict queue={writing.draft.queue} onTheirs={onTheirs} />}
        {/* Displayed above the text, but after it in the tab order, so that Tab moves from the subject to the text. */}
        <div className="composer-writing">
          <EditorFrame {...text.frame} />
          {isRich && (
            <Toolbar {...text.tools} onPictures={(addedFiles) => void text.addPictures(addedFiles)} />
          )}
        </div>
        {writing.quote !== '' && <QuoteTools writing={writing} />}
        {files.all.length > 0 && <FileList files={files} />}
        {formError && (
          <p className="wrong small" role="alert">
            {formError}
          </p>
        )}
        {sender?.signature && shouldSign(sender, isAnswer) && (
          <Checkbox
            label={composerStrings.addSignature}
            checked={writing.isSigned}
            onChange={({ target }) => writing.dispatch({ kind: 'sign', isOn: target.checked })}
          />
        )}
        <ComposerFooter writing={writing} isRich={isRich} />
      </div>
    </div>
  );
}

/** True if the sender's signature policy applies to the message. */
const shouldSign = ({ signaturePolicy }: Sender, isAnswer: boolean): boolean =>
  signaturePolicy === 'always' || (signaturePolicy === 'new_only' && !isAnswer);

interface ComposerBarProps {
  title: string;
  composer: OpenComposer;
  onLeave(): Promise<void>;
}

const ComposerBar = ({ title, composer: { key, size }, onLeave }: ComposerBarProps) => (
  <header>
    <h2>{title}</h2>
    <IconButton
      icon="minimize"
      label={size === 'minimized' ? composerStrings.restore : composerStrings.minimize}
      onClick={() => resizeComposer(key, size === 'minimized' ? 'docked' : 'minimized')}
    />
    <IconButton
      icon="expand"
      className="composer-expand"
      label={size === 'full' ? composerStrings.exitFullScreen : composerStrings.fullScreen}
      onClick={() => resizeComposer(key, size === 'full' ? 'docked' : 'full')}
    />
    <IconButton icon="close" label={composerStrings.close} onClick={() => void onLeave()} />
  </header>
);

interface DraftConflictProps {
  queue: DraftQueue;
  /** Restarts the composer with the server's version of the draft. */
  onTheirs(draft: string): void;
}

const DraftConflict = ({ queue, onTheirs }: DraftConflictProps) => (
  <p className="composer-changed" role="alert">
    <span className="grow">{composerStrings.changed}</span>
    <Button onClick={() => void queue.keepMine()}>{composerStrings.keepMine}</Button>
    <Button
      onClick={() => {
        queue.discard();
        onTheirs(queue.draft!.id);
      }}
    >
      {composerStrings.takeTheirs}
    </Button>
  </p>
);

/** The quote is not editable. It becomes part of the text if the user edits it. */
function QuoteTools({ writing }: { writing: ComposerState }) {
  const [isShown, setIsShown] = useState(false);
  const show = () => {
    writing.text.tools.editor?.showQuote(!isShown);
    setIsShown(!isShown);
  };
  const edit = () => {
    writing.dispatch({ kind: 'edit-quote' });
    writing.text.editQuote();
  };
  return (
    <div className="composer-quote">
      <Button
        look="ghost"
        aria-label={isShown ? composerStrings.hideQuote : composerStrings.showQuote}
        aria-expanded={isShown}
        onClick={show}
      >
        ⋯
      </Button>
      {isShown && (
        <Button look="ghost" onClick={edit}>
          {composerStrings.editQuote}
        </Button>
      )}
    </div>
  );
}

const ComposerFooter = ({ writing, isRich }: { writing: ComposerState; isRich: boolean }) => (
  <footer>
    <Button look="primary" icon="send" isBusy={writing.isSending} onClick={() => void writing.send()}>
      {composerStrings.send}
    </Button>
    <DialogOpener label={composerStrings.sendLater}>
      {(onClose) => <ScheduleDialog onClose={onClose} onChoose={(time) => void writing.send(time)} />}
    </DialogOpener>
    {isRich && (
      <FileIconButton
        icon="attach"
        label={composerStrings.attach}
        onFiles={(added) => void writing.addFiles(added)}
      />
    )}
    <span className="grow quiet small" role="status">
      {composerStrings.saveStates[writing.saving]}
    </span>
    <IconButton icon="trash" label={composerStrings.discard} onClick={() => void writing.draft.discard()} />
  </footer>
);
