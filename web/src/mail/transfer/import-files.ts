import { change } from '../../graphql/client.ts';
import { MailImportFilesDocument } from './generated.ts';
import { messagesOf, type RawMessage } from './mbox.ts';

/** How far an import of files is. */
export interface FilesProgress {
  /** Bytes that were read, of all. */
  read: number;
  size: number;
  imported: number;
  duplicates: number;
  failed: { file: string; error: string }[];
}

/** Messages, and bytes of them, that are sent at a time. */
const BATCH = 25;
const BATCH_BYTES = 8 * 1024 * 1024;

interface FilesImport {
  mailbox: string;
  folder: string;
  files: readonly File[];
  onProgress(progress: FilesProgress): void;
  /** Whether it is to end before its end. */
  isStopped(): boolean;
}

/**
 * Files messages into a folder; those that the mailbox has already are passed over. @throws Refused
 * @returns why it ended before its end; null where it did not
 */
export async function importFiles({ mailbox, folder, files, onProgress, isStopped }: FilesImport) {
  const progress: FilesProgress = {
    read: 0,
    size: files.reduce((sum, { size }) => sum + size, 0),
    imported: 0,
    duplicates: 0,
    failed: [],
  };
  let before = 0;
  let wrong: string | null = null;
  for (const file of files) {
    for await (const batch of batchesOf(messagesOf(file))) {
      if (isStopped()) return wrong;
      wrong = await send(batch, file.name);
      if (wrong !== null) return wrong;
      progress.read = before + batch.at(-1)!.end;
      onProgress({ ...progress, failed: [...progress.failed] });
    }
    before += file.size;
  }
  return wrong;

  async function send(batch: readonly RawMessage[], file: string): Promise<string | null> {
    const messages = await Promise.all(batch.map(({ raw }) => base64Of(raw)));
    const { mailImport: done } = await change(MailImportFilesDocument, { mailbox, folder, messages });
    if (!done.ok) return done.error ?? '';
    progress.imported += done.imported ?? 0;
    progress.duplicates += done.duplicates ?? 0;
    progress.failed.push(...(done.failed ?? []).map(({ error }) => ({ file, error })));
    return null;
  }
}

async function* batchesOf(messages: AsyncIterable<RawMessage>): AsyncGenerator<RawMessage[]> {
  let batch: RawMessage[] = [];
  let bytes = 0;
  for await (const message of messages) {
    if (batch.length === BATCH || (batch.length > 0 && bytes + message.raw.length > BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(message);
    bytes += message.raw.length;
  }
  if (batch.length > 0) yield batch;
}

/** A browser writes base64 fastest into an address of data. */
const base64Of = (raw: Uint8Array): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(new Blob([raw as Uint8Array<ArrayBuffer>]));
  });
