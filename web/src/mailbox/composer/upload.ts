import { sendFile } from '../../shell/send-file.ts';

export interface StagedFile {
  id: string;
  name: string;
  size: number;
}

export interface Upload {
  /**
   * @throws Error with the server's message, or with an empty message if the upload was canceled or the server was
   * unreachable
   */
  done: Promise<StagedFile>;
  cancel(): void;
}

/**
 * Uploads an attachment.
 * @param onProgress called with the uploaded fraction
 */
export function uploadFile(
  mailbox: string,
  file: Blob,
  name: string,
  onProgress: (share: number) => void,
): Upload {
  const query = new URLSearchParams({ account_id: mailbox, filename: name });
  const { done, cancel } = sendFile(`/mail/attachments?${query}`, file, onProgress);
  return { done: done.then((result) => toStagedFile(result as UploadResponse)), cancel };
}

type UploadResponse =
  | { ok: true; attachment_id: number; name: string; size: number }
  | { ok: false; error: string };

function toStagedFile(response: UploadResponse): StagedFile {
  if (!response.ok) throw new Error(response.error);
  return { id: String(response.attachment_id), name: response.name, size: response.size };
}
