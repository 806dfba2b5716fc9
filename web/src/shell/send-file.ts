import { waitForSignIn } from '../connection/session.ts';

export interface FileUpload {
  /**
   * The JSON response.
   * @throws Error with the server's message, or with an empty message if the upload was canceled or the server was
   * unreachable
   */
  done: Promise<unknown>;
  cancel(): void;
}

/**
 * Uploads a file.
 * @param onProgress called with the uploaded fraction
 */
export function sendFile(path: string, file: Blob, onProgress: (share: number) => void): FileUpload {
  const request = new XMLHttpRequest();
  const send = () => {
    request.open('PUT', path);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.send(file);
  };
  const result = new Promise<unknown>((resolve, failed) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onload = () => {
      const response = parseResponse(request.responseText);
      if (request.status === 401) void waitForSignIn().then(send);
      else if (request.status === 200 && response) resolve(response);
      else failed(new Error(response?.error?.message ?? ''));
    };
    request.onerror = () => failed(new Error(''));
    request.onabort = () => failed(new Error(''));
    send();
  });
  return { done: result, cancel: () => request.abort() };
}

function parseResponse(text: string): { error?: { message: string } } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
