import { useEffect, useRef, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { RequestError } from '../../graphql/request-error.ts';
import { formatSize } from '../../i18n/format.ts';
import { type FileUpload, sendFile } from '../../shell/send-file.ts';
import { showErrorToast } from '../../ui/toasts.tsx';
import { RecordFileAddDocument, RecordFileDiscardDocument, RecordFilePlaceDocument } from '../generated.ts';
import { viewStrings } from '../view-strings.ts';

interface UploadProgress {
  key: number;
  name: string;
  share: number;
}

export interface Uploads {
  underway: UploadProgress[];
  /** Uploads files one after the other and attaches them to the record. */
  add(files: readonly File[]): Promise<void>;
  cancel(key: number): void;
}

let last = 0;

/** Uploads a record's attachments. Unmounting cancels running uploads. */
export function useUploads(record: { model: string; id: string }, onAdded: () => void): Uploads {
  const [underway, setUnderway] = useState<UploadProgress[]>([]);
  const sendings = useRef(new Map<number, FileUpload | null>());
  useEffect(() => {
    const under = sendings.current;
    return () => {
      for (const sending of under.values()) sending?.cancel();
      under.clear();
    };
  }, []);
  const removeUpload = (key: number) => {
    sendings.current.delete(key);
    setUnderway((all) => all.filter((item) => item.key !== key));
  };
  const send = async (key: number, file: File): Promise<string | null> => {
    const { path, maxBytes } = (await runMutation(RecordFilePlaceDocument, { name: file.name })).fileUpload;
    if (!sendings.current.has(key)) return null;
    if (file.size > maxBytes) {
      showErrorToast(viewStrings.fileTooLarge(file.name, formatSize(maxBytes)));
      return null;
    }
    const sending = sendFile(path, file, (share) =>
      setUnderway((all) => all.map((item) => (item.key === key ? { ...item, share } : item))),
    );
    sendings.current.set(key, sending);
    return ((await sending.done) as { id: string }).id;
  };
  const addOne = async (key: number, file: File): Promise<void> => {
    let upload: string | null = null;
    try {
      upload = await send(key, file);
      if (upload && sendings.current.has(key)) {
        await runMutation(RecordFileAddDocument, { ...record, name: file.name, upload });
        upload = null;
        onAdded();
      }
    } catch (error) {
      const strings = error instanceof RequestError ? error.failure.message : (error as Error).message;
      if (sendings.current.has(key)) showErrorToast(strings || viewStrings.uploadFailed(file.name));
    } finally {
      // Best effort: the upload may no longer exist.
      if (upload) void runMutation(RecordFileDiscardDocument, { id: upload }).catch(() => undefined);
      removeUpload(key);
    }
  };
  return {
    underway,
    async add(files) {
      const uploads = files.map((file) => ({ key: ++last, name: file.name, share: 0, file }));
      for (const { key } of uploads) sendings.current.set(key, null);
      setUnderway((all) => [...all, ...uploads]);
      for (const { key, file } of uploads) if (sendings.current.has(key)) await addOne(key, file);
    },
    cancel(key) {
      sendings.current.get(key)?.cancel();
      removeUpload(key);
    },
  };
}
