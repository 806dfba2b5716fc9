import { lazy, Suspense } from 'react';
import { shellStrings } from '../../shell/strings.ts';
import type { BlockEditorProps } from './block-editor.tsx';

const Editor = lazy(() => import('./block-editor.tsx'));

/** The editor is loaded where it is needed: nothing of the application is as large. */
export const BlockEditor = (props: BlockEditorProps) => (
  <Suspense fallback={<p role="status">{shellStrings.loading}</p>}>
    <Editor {...props} />
  </Suspense>
);
