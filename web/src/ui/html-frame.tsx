import './html-frame.css';
import { useEffect, useRef, useState } from 'react';

interface HtmlFrameProps {
  src?: string;
  /** Under which a form leads into it. */
  name?: string;
  title: string;
  /** Hears of the element `html` of each document that is shown. */
  onShown?(root: HTMLElement): void;
}

/**
 * HTML of somebody else, at an address whose answer is sandboxed too. It runs nothing and grows with what it holds.
 * Keys that are pressed within are those of the page as well, where the browser lets the page hear them.
 */
export function HtmlFrame({ src, name, title, onShown }: HtmlFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(480);
  const latestOnShown = useRef(onShown);
  latestOnShown.current = onShown;
  useEffect(() => {
    const element = frame.current!;
    let observer: ResizeObserver | undefined;
    const measure = () => {
      observer?.disconnect();
      const root = element.contentDocument?.documentElement;
      if (!root) return;
      observer = new ResizeObserver(() =>
        setHeight(Math.min(measureHeight(root) + measureBorder(element), MAX_HEIGHT_PX)),
      );
      observer.observe(root);
      root.addEventListener('keydown', (event) => forwardKey(element, event));
      latestOnShown.current?.(root);
    };
    element.addEventListener('load', measure);
    return () => {
      element.removeEventListener('load', measure);
      observer?.disconnect();
    };
  }, []);
  return (
    <iframe
      ref={frame}
      className="html-frame"
      name={name}
      title={title}
      src={src}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      style={{ height }}
    />
  );
}

/** Pixels; what is longer scrolls within. */
const MAX_HEIGHT_PX = 20_000;

/** Of what a document holds, which may be less than the frame has, with the bar below what is too wide. */
function measureHeight(root: HTMLElement): number {
  const bar = root.ownerDocument.defaultView!.innerHeight - root.clientHeight;
  return root.offsetHeight + Math.max(0, bar);
}

const measureBorder = (element: HTMLElement): number => element.offsetHeight - element.clientHeight;

function forwardKey(frame: HTMLElement, event: KeyboardEvent): void {
  const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event;
  const keyEvent = { key, code, ctrlKey, metaKey, shiftKey, altKey, bubbles: true, cancelable: true };
  if (!frame.dispatchEvent(new KeyboardEvent('keydown', keyEvent))) event.preventDefault();
}
