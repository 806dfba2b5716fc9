import { preloadEditor } from './editor.ts';

// A preloaded iframe for the next composer, because loading one would delay the composer.

let spare: HTMLIFrameElement | null = null;
let isLoading = false;

/** Loads an iframe while the page is idle, if the browser can move an iframe without reloading it. */
export function prepareFrame(): void {
  if (spare || isLoading || !window.requestIdleCallback || !('moveBefore' in Element.prototype)) return;
  isLoading = true;
  requestIdleCallback(() => {
    const frame = createFrame('composer-text spare');
    frame.tabIndex = -1;
    frame.setAttribute('aria-hidden', 'true');
    frame.addEventListener('load', () => requestIdleCallback(() => storeSpareFrame(frame)), { once: true });
    document.body.append(frame);
  });
}

function storeSpareFrame(frame: HTMLIFrameElement): void {
  preloadEditor(frame.contentWindow as Window & typeof globalThis);
  spare = frame;
  isLoading = false;
}

/**
 * Inserts an editor iframe into an element.
 * @param onLoad called synchronously if a preloaded iframe was available
 */
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
