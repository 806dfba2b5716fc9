import { warmEditor } from './editor.ts';

// A frame with the editor's page, which waits for the next text: to load one takes longer than a composer may take to
// open.

let spare: HTMLIFrameElement | null = null;
let isComing = false;

/** Loads a frame when the page has nothing else to do. Browsers that cannot move one as it is do without. */
export function prepareFrame(): void {
  if (spare || isComing || !window.requestIdleCallback || !('moveBefore' in Element.prototype)) return;
  isComing = true;
  requestIdleCallback(() => {
    const frame = frameOf('composer-text spare');
    frame.tabIndex = -1;
    frame.setAttribute('aria-hidden', 'true');
    frame.addEventListener('load', () => requestIdleCallback(() => keep(frame)), { once: true });
    document.body.append(frame);
  });
}

function keep(frame: HTMLIFrameElement): void {
  warmEditor(frame.contentWindow as Window & typeof globalThis);
  spare = frame;
  isComing = false;
}

/** Puts a frame with the editor's page into an element. @param onLoad at once where one was waiting */
export function frameIn(host: HTMLElement, title: string, onLoad: (frame: HTMLIFrameElement) => void): void {
  const frame = spare ?? frameOf('composer-text');
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

function frameOf(className: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.className = className;
  frame.src = '/mail/editor';
  return frame;
}
