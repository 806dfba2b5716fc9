import { useEffect, useId, useRef } from 'react';
import { HtmlFrame } from './html-frame.tsx';

interface PostedFrameProps {
  /** URL that returns the posted HTML in a sandboxed response. */
  to: string;
  html: string;
  title: string;
}

/**
 * Displays HTML that has no URL by posting it to a frame. Each document uses a new frame, which adds no entries to the
 * browser history.
 */
export function PostedFrame({ to, html, title }: PostedFrameProps) {
  const name = `frame${useId()}`;
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the posted document changes
  useEffect(() => form.current!.submit(), [to, html]);
  return (
    <>
      <form ref={form} hidden method="post" action={to} encType="text/plain" target={name}>
        <textarea name="html" value={html} readOnly />
      </form>
      <HtmlFrame key={`${to} ${html}`} name={name} title={title} />
    </>
  );
}
