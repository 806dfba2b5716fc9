import { lazy, Suspense } from 'react';
import { shellWords } from '../../shell/words.ts';
import type { BlockEditorProps } from './block-editor.tsx';

const Editor = lazy(() => import('./block-editor.tsx'));

/** The editor is loaded where it is needed: nothing of the application is as large. */
export const BlockEditor = (props: BlockEditorProps) => (
  <Suspense fallback={<p role="status">{shellWords.loading}</p>}>
    <Editor {...props} />
  </Suspense>
);
