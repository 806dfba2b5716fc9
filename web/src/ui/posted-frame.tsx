import { useEffect, useId, useRef } from 'react';
import { HtmlFrame } from './html-frame.tsx';

interface PostedFrameProps {
  /** Whose answer shows what is posted to it, sandboxed. */
  to: string;
  html: string;
  title: string;
}

/** HTML that has no address yet: a form posts it into the frame. Each is a new frame, so that none is a step back. */
export function PostedFrame({ to, html, title }: PostedFrameProps) {
  const name = `frame${useId()}`;
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is posted has changed
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
