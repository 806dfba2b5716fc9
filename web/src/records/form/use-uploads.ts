import { useEffect, useRef, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { Refused } from '../../graphql/refusal.ts';
import { sizeText } from '../../i18n/format.ts';
import { type Sending, sendFile } from '../../shell/send-file.ts';
import { sayWrong } from '../../ui/toasts.tsx';
import { RecordFileAddDocument, RecordFileDiscardDocument, RecordFilePlaceDocument } from '../generated.ts';
import { viewWords } from '../view-words.ts';

/** A file that is being added. */
interface Underway {
  key: number;
  name: string;
  /** The share that has been sent. */
  share: number;
}

interface Uploads {
  underway: Underway[];
  /** Uploads files and makes them files of the record, one after the other. */
  add(files: readonly File[]): Promise<void>;
  cancel(key: number): void;
}

let last = 0;

/** Files that are being added to a record. Those on their way when it is left are cancelled. */
export function useUploads(record: { model: string; id: string }, onAdded: () => void): Uploads {
  const [underway, setUnderway] = useState<Underway[]>([]);
  const wanted = useRef(new Map<number, Sending | null>());
  useEffect(() => {
    const under = wanted.current;
    return () => {
      for (const sending of under.values()) sending?.cancel();
      under.clear();
    };
  }, []);
  const leave = (key: number) => {
    wanted.current.delete(key);
    setUnderway((all) => all.filter((each) => each.key !== key));
  };
  const send = async (key: number, file: File): Promise<string | null> => {
    const { path, maxBytes } = (await change(RecordFilePlaceDocument, { name: file.name })).fileUpload;
    if (!wanted.current.has(key)) return null;
    if (file.size > maxBytes) {
      sayWrong(viewWords.fileTooLarge(file.name, sizeText(maxBytes)));
      return null;
    }
    const sending = sendFile(path, file, (share) =>
      setUnderway((all) => all.map((each) => (each.key === key ? { ...each, share } : each))),
    );
    wanted.current.set(key, sending);
    return ((await sending.done) as { id: string }).id;
  };
  const addOne = async (key: number, file: File): Promise<void> => {
    let upload: string | null = null;
    try {
      upload = await send(key, file);
      if (upload && wanted.current.has(key)) {
        await change(RecordFileAddDocument, { ...record, name: file.name, upload });
        upload = null;
        onAdded();
      }
    } catch (error) {
      const words = error instanceof Refused ? error.refusal.message : (error as Error).message;
      if (wanted.current.has(key)) sayWrong(words || viewWords.uploadFailed(file.name));
    } finally {
      // One that is not there any more is as good as dropped.
      if (upload) void change(RecordFileDiscardDocument, { id: upload }).catch(() => undefined);
      leave(key);
    }
  };
  return {
    underway,
    async add(files) {
      const begun = files.map((file) => ({ key: ++last, name: file.name, share: 0, file }));
      for (const { key } of begun) wanted.current.set(key, null);
      setUnderway((all) => [...all, ...begun]);
      for (const { key, file } of begun) if (wanted.current.has(key)) await addOne(key, file);
    },
    cancel(key) {
      wanted.current.get(key)?.cancel();
      leave(key);
    },
  };
}
