/** A file that the server keeps until its message is sent. */
export interface StagedFile {
  id: string;
  name: string;
  size: number;
}

export interface Upload {
  /** @throws Error with the server's words, or without any where it could not be reached or was cancelled */
  done: Promise<StagedFile>;
  cancel(): void;
}

/** Sends a file to where messages take their files from. @param heard of the share that has been sent */
export function uploadFile(
  mailbox: string,
  file: Blob,
  name: string,
  heard: (share: number) => void,
): Upload {
  const request = new XMLHttpRequest();
  const done = new Promise<StagedFile>((staged, failed) => {
    const query = new URLSearchParams({ account_id: mailbox, filename: name });
    request.open('PUT', `/mail/attachments?${query}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => heard(total ? loaded / total : 0);
    request.onload = () => {
      const answer = answerOf(request.responseText);
      if (answer?.ok) staged({ id: String(answer.attachment_id), name: answer.name!, size: answer.size! });
      else
        failed(new Error(typeof answer?.error === 'object' ? answer.error.message : (answer?.error ?? '')));
    };
    request.onerror = () => failed(new Error(''));
    request.onabort = () => failed(new Error(''));
    request.send(file);
  });
  return { done, cancel: () => request.abort() };
}

interface UploadAnswer {
  ok?: boolean;
  attachment_id?: number;
  name?: string;
  size?: number;
  error?: string | { message: string };
}

function answerOf(text: string): UploadAnswer | null {
  try {
    return JSON.parse(text) as UploadAnswer;
  } catch {
    return null;
  }
}
