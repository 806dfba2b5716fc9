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
    onEditorPage(frame, () => requestIdleCallback(() => storeSpareFrame(frame)));
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
    onEditorPage(frame, () => onLoad(frame));
    host.append(frame);
  }
  prepareFrame();
}

function createFrame(className: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.className = className;
  frame.src = EDITOR_PAGE;
  return frame;
}

const EDITOR_PAGE = '/mail/editor';
const RETRY_MS = 2_000;

/** Calls `onLoad` when the iframe contains the editor page. Reloads it until the server responds. */
function onEditorPage(frame: HTMLIFrameElement, onLoad: () => void): void {
  const check = () => {
    // The browser's error page has another origin.
    if (frame.contentDocument) return onLoad();
    setTimeout(() => {
      onEditorPage(frame, onLoad);
      frame.src = EDITOR_PAGE;
    }, RETRY_MS);
  };
  frame.addEventListener('load', check, { once: true });
}
