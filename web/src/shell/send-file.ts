/** A file on its way to the server. */
export interface FileUpload {
  /**
   * The server's JSON answer.
   * @throws Error with the server's words, or without any where it could not be reached or was cancelled
   */
  done: Promise<unknown>;
  cancel(): void;
}

/** Sends the bytes of a file to an address of the server. @param onProgress of the share that has been sent */
export function sendFile(path: string, file: Blob, onProgress: (share: number) => void): FileUpload {
  const request = new XMLHttpRequest();
  const done = new Promise<unknown>((answered, failed) => {
    request.open('PUT', path);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onload = () => {
      const response = parseResponse(request.responseText);
      if (request.status === 200 && response) answered(response);
      else failed(new Error(response?.error?.message ?? ''));
    };
    request.onerror = () => failed(new Error(''));
    request.onabort = () => failed(new Error(''));
    request.send(file);
  });
  return { done, cancel: () => request.abort() };
}

function parseResponse(text: string): { error?: { message: string } } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
