import { useEffect, useRef, useState } from 'react';
import { Refused } from '../../graphql/refusal.ts';
import { counted, formatNumber } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { sayWrong } from '../../ui/toasts.tsx';
import { bulkWords } from '../bulk-words.ts';
import { type Chosen, STEP } from '../chosen.ts';
import type { Described } from '../model.ts';
import { recordWords } from '../words.ts';
import { type Deed, type Done, doToChosen, newToken } from './deed.ts';

interface DeedDialogProps {
  model: Described;
  chosen: Chosen;
  deed: Deed;
  name: keyof typeof bulkWords.deeds;
  /** @param token undoes it; null for what cannot be undone */
  onDone(done: Chosen, token: string | null): void;
  onClose(): void;
}

/**
 * Does something to all records that are chosen: at once what can be undone, else once the person agrees to their
 * number. Where somebody has changed some meanwhile, it asks what is to become of them before anything happens.
 */
export function DeedDialog({ model, chosen, deed, name, onDone, onClose }: DeedDialogProps) {
  const words = bulkWords.deeds[name];
  const [ahead, setAhead] = useState(chosen);
  const [found, setFound] = useState<Done>();
  const [count, setCount] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const token = useRef(newToken());
  const end = (done: Chosen) => onDone(done, deed.kind === 'write' && done.size > 0 ? token.current : null);
  const go = async (records: Chosen) => {
    setAhead(records);
    setBusy(true);
    setCount(0);
    try {
      const result = await doToChosen(model, records, deed, token.current, setCount);
      if (result.changed.size + result.gone.size > 0) return setFound(result);
      if (result.refused) sayWrong(refusedText(result, records.size));
      if (result.refused && result.done.size === 0) return onClose();
      end(result.done);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      sayWrong(error.refusal.message);
      onClose();
    } finally {
      setBusy(false);
    }
  };
  const started = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins once
  useEffect(() => {
    if (deed.kind === 'delete' || started.current) return;
    started.current = true;
    void go(chosen);
  }, []);
  if (found && !isBusy)
    return (
      <Found
        chosen={ahead}
        found={found}
        name={name}
        onGo={(records) => void go(records)}
        onClose={onClose}
      />
    );
  if (deed.kind === 'write' && chosen.size <= STEP) return null;
  return (
    <Dialog title={counted(ahead.size, words.title)} onClose={isBusy ? () => {} : onClose}>
      {deed.kind === 'delete' && <p>{bulkWords.deleteText}</p>}
      {isBusy ? (
        <p role="status">{bulkWords.progress(formatNumber(count), formatNumber(ahead.size))}</p>
      ) : (
        <div className="buttons">
          <Button look="danger" onClick={() => void go(ahead)}>
            {counted(ahead.size, words.go)}
          </Button>
          <Button onClick={onClose}>{recordWords.cancel}</Button>
        </div>
      )}
    </Dialog>
  );
}

const refusedText = ({ done, refused }: Done, of: number): string =>
  done.size === 0
    ? refused!.refusal.message
    : `${bulkWords.stopped(formatNumber(done.size), formatNumber(of))} ${refused!.refusal.message}`;

interface FoundProps {
  chosen: Chosen;
  found: Done;
  name: keyof typeof bulkWords.deeds;
  onGo(records: Chosen): void;
  onClose(): void;
}

/** What somebody else has done to the chosen records meanwhile, and which of them are meant now. */
function Found({ chosen, found: { changed, gone }, name, onGo, onClose }: FoundProps) {
  const { go } = bulkWords.deeds[name];
  const same = new Map([...chosen].filter(([id]) => !changed.has(id) && !gone.has(id)));
  return (
    <Dialog title={bulkWords.changedTitle} onClose={onClose}>
      {changed.size > 0 && <p>{counted(changed.size, bulkWords.changedText)}</p>}
      {gone.size > 0 && <p>{counted(gone.size, bulkWords.goneText)}</p>}
      <p>{bulkWords.nothingDone}</p>
      <div className="buttons">
        {same.size > 0 && (
          <Button look="primary" onClick={() => onGo(same)}>
            {changed.size > 0 ? counted(same.size, bulkWords.others) : counted(same.size, go)}
          </Button>
        )}
        {changed.size > 0 && (
          <Button onClick={() => onGo(new Map([...same, ...changed]))}>
            {counted(same.size + changed.size, bulkWords.allTheSame)}
          </Button>
        )}
        <Button onClick={onClose}>{recordWords.cancel}</Button>
      </div>
    </Dialog>
  );
}
