import { runMutation } from '../../graphql/client.ts';
import { MailImportFilesDocument } from './generated.ts';
import { type RawMessage, readMessages } from './mbox.ts';

/** How far an import of files is. */
export interface FileImportProgress {
  /** Bytes that were read, of all. */
  read: number;
  size: number;
  imported: number;
  duplicates: number;
  failed: { file: string; error: string }[];
}

/** Messages, and bytes of them, that are sent at a time. */
const BATCH_SIZE = 25;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

interface FileImportOptions {
  mailbox: string;
  folder: string;
  files: readonly File[];
  onProgress(progress: FileImportProgress): void;
  /** Whether it is to end before its end. */
  isStopped(): boolean;
}

/**
 * Files messages into a folder; those that the mailbox has already are passed over. @throws Refused
 * @returns why it ended before its end; null where it did not
 */
export async function importFiles({ mailbox, folder, files, onProgress, isStopped }: FileImportOptions) {
  const progress: FileImportProgress = {
    read: 0,
    size: files.reduce((sum, { size }) => sum + size, 0),
    imported: 0,
    duplicates: 0,
    failed: [],
  };
  let before = 0;
  let wrong: string | null = null;
  for (const file of files) {
    for await (const batch of splitBatches(readMessages(file))) {
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
    const messages = await Promise.all(batch.map(({ raw }) => readBase64(raw)));
    const { mailImport: done } = await runMutation(MailImportFilesDocument, { mailbox, folder, messages });
    if (!done.ok) return done.error ?? '';
    progress.imported += done.imported ?? 0;
    progress.duplicates += done.duplicates ?? 0;
    progress.failed.push(...(done.failed ?? []).map(({ error }) => ({ file, error })));
    return null;
  }
}

async function* splitBatches(messages: AsyncIterable<RawMessage>): AsyncGenerator<RawMessage[]> {
  let batch: RawMessage[] = [];
  let bytes = 0;
  for await (const message of messages) {
    if (batch.length === BATCH_SIZE || (batch.length > 0 && bytes + message.raw.length > MAX_BATCH_BYTES)) {
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
const readBase64 = (raw: Uint8Array): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(new Blob([raw as Uint8Array<ArrayBuffer>]));
  });
