import './html-frame.css';
import { useEffect, useRef, useState } from 'react';

interface HtmlFrameProps {
  src?: string;
  name?: string;
  title: string;
  onShown?(root: HTMLElement): void;
}

/**
 * Displays untrusted HTML without running scripts, in a frame that grows with its content. The URL's response must be
 * sandboxed. Forwards key events to the page if the browser allows it.
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

/** Longer content scrolls. */
const MAX_HEIGHT_PX = 20_000;

/** Returns the content's height, including a horizontal scroll bar. The result can be less than the frame's height. */
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
