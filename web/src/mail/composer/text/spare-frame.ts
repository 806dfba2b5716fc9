import { warmEditor } from './editor.ts';

// A frame with the editor's page, which waits for the next text: to load one takes longer than a composer may take to
// open.

let spare: HTMLIFrameElement | null = null;
let isLoading = false;

/** Loads a frame when the page has nothing else to do. Browsers that cannot move one as it is do without. */
export function prepareFrame(): void {
  if (spare || isLoading || !window.requestIdleCallback || !('moveBefore' in Element.prototype)) return;
  isLoading = true;
  requestIdleCallback(() => {
    const frame = createFrame('composer-text spare');
    frame.tabIndex = -1;
    frame.setAttribute('aria-hidden', 'true');
    frame.addEventListener('load', () => requestIdleCallback(() => storeSpare(frame)), { once: true });
    document.body.append(frame);
  });
}

function storeSpare(frame: HTMLIFrameElement): void {
  warmEditor(frame.contentWindow as Window & typeof globalThis);
  spare = frame;
  isLoading = false;
}

/** Puts a frame with the editor's page into an element. @param onLoad at once where one was waiting */
export function mountFrame(
  host: HTMLElement,
  title: string,
  onLoad: (frame: HTMLIFrameElement) => void,
): void {
  const frame = spare ?? createFrame('composer-text');
  frame.title = title;
  if (frame === spare) {
    spare = null;
    host.moveBefore(frame, null);
    frame.className = 'composer-text';
    frame.removeAttribute('tabindex');
    frame.removeAttribute('aria-hidden');
    onLoad(frame);
  } else {
    frame.addEventListener('load', () => onLoad(frame), { once: true });
    host.append(frame);
  }
  prepareFrame();
}

function createFrame(className: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.className = className;
  frame.src = '/mail/editor';
  return frame;
}
