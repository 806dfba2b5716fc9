import { runMutation } from '../../graphql/client.ts';
import { readBase64 } from '../../ui/input/read-base64.ts';
import { MailImportFilesDocument } from './generated.ts';
import { type RawMessage, readMessages } from './mbox.ts';

export interface FileImportProgress {
  read: number;
  size: number;
  imported: number;
  duplicates: number;
  failed: { file: string; error: string }[];
}

/** Maximum number and total size of messages per request. */
const BATCH_SIZE = 25;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

interface FileImportOptions {
  mailbox: string;
  folder: string;
  files: readonly File[];
  onProgress(progress: FileImportProgress): void;
  isStopped(): boolean;
}

/**
 * Imports messages into a folder. Skips messages that the mailbox already contains.
 * @returns the reason the import ended early, or null
 * @throws RequestError
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
  let formError: string | null = null;
  for (const file of files) {
    for await (const batch of splitBatches(readMessages(file))) {
      if (isStopped()) return formError;
      formError = await send(batch, file.name);
      if (formError !== null) return formError;
      progress.read = before + batch.at(-1)!.end;
      onProgress({ ...progress, failed: [...progress.failed] });
    }
    before += file.size;
  }
  return formError;

  async function send(batch: readonly RawMessage[], file: string): Promise<string | null> {
    const blobs = batch.map(({ raw }) => new Blob([raw as Uint8Array<ArrayBuffer>]));
    const messages = await Promise.all(blobs.map(readBase64));
    const { mailImport: result } = await runMutation(MailImportFilesDocument, { mailbox, folder, messages });
    if (!result.ok) return result.error ?? '';
    progress.imported += result.imported ?? 0;
    progress.duplicates += result.duplicates ?? 0;
    progress.failed.push(...(result.failed ?? []).map(({ error }) => ({ file, error })));
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
