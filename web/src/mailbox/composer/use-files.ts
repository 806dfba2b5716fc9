import { useEffect, useRef, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { showErrorToast } from '../../ui/toasts.tsx';
import { MailAttachDiscardDocument } from './generated.ts';
import { fetchFile } from './initial-message.ts';
import { composerStrings } from './strings.ts';
import { type StagedFile, type Upload, uploadFile } from './upload.ts';

interface ComposerFile {
  key: number;
  name: string;
  size: number;
  share: number;
  staged: StagedFile | null;
}

export interface ComposerFiles {
  all: ComposerFile[];
  add(files: readonly Blob[], mailbox: string): Promise<(StagedFile | null)[]>;
  fetchAndAdd(files: readonly { name: string; path: string }[], mailbox: string): Promise<void>;
  addStaged(files: readonly StagedFile[]): void;
  remove(file: ComposerFile): void;
  /** Waits for uploads and returns the ids of all files. */
  waitForUploads(): Promise<string[]>;
}

let last = 0;

/** Manages a composer's attachments. Unmounting cancels running uploads. */
export function useFiles(): ComposerFiles {
  const [all, setAll] = useState<ComposerFile[]>([]);
  const now = useRef<ComposerFile[]>([]);
  const uploads = useRef(new Map<number, Upload>());
  useEffect(() => {
    const under = uploads.current;
    return () => {
      for (const upload of under.values()) upload.cancel();
    };
  }, []);
  const setFiles = (next: ComposerFile[]) => {
    now.current = next;
    setAll(next);
  };
  const updateFile = (key: number, changes: Partial<ComposerFile>) =>
    setFiles(now.current.map((item) => (item.key === key ? { ...item, ...changes } : item)));
  const dropFile = (key: number) => setFiles(now.current.filter((item) => item.key !== key));
  const upload = async (file: Blob, name: string, mailbox: string): Promise<StagedFile | null> => {
    last += 1;
    const key = last;
    setFiles([...now.current, { key, name, size: file.size, share: 0, staged: null }]);
    const upload = uploadFile(mailbox, file, name, (share) => updateFile(key, { share }));
    uploads.current.set(key, upload);
    try {
      const file = await upload.done;
      updateFile(key, { staged: file, share: 1, name: file.name });
      return file;
    } catch (error) {
      const isGone = !now.current.some((item) => item.key === key);
      dropFile(key);
      if (!isGone) showErrorToast((error as Error).message || composerStrings.uploadFailed(name));
      return null;
    } finally {
      uploads.current.delete(key);
    }
  };
  return {
    all,
    add: (files, mailbox) => Promise.all(files.map((file) => upload(file, (file as File).name, mailbox))),
    async fetchAndAdd(files, mailbox) {
      for (const { name, path } of files) {
        const file = await fetchFile(path).catch(() => null);
        if (file) await upload(file, name, mailbox);
        else showErrorToast(composerStrings.uploadFailed(name));
      }
    },
    addStaged(files) {
      last += files.length;
      const from = last - files.length;
      const added = files.map((file, index) => ({ ...file, key: from + index + 1, share: 1, staged: file }));
      setFiles([...now.current, ...added]);
    },
    remove({ key, staged }) {
      dropFile(key);
      uploads.current.get(key)?.cancel();
      // Best effort: the staged file may no longer exist.
      if (staged) void runMutation(MailAttachDiscardDocument, { id: staged.id }).catch(() => undefined);
    },
    async waitForUploads() {
      await Promise.allSettled([...uploads.current.values()].map(({ done }) => done));
      return now.current.flatMap(({ staged }) => staged?.id ?? []);
    },
  };
}
