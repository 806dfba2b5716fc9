import { Suspense } from 'react';
import { lazy } from '../../connection/lazy.ts';
import { Loading } from '../../shell/loading.tsx';
import type { BlockEditorProps } from './block-editor.tsx';

const Editor = lazy(() => import('./block-editor.tsx'), 'BlockEditor');

/** Loaded on demand, because the editor is the largest part of the application. */
export const BlockEditor = (props: BlockEditorProps) => (
  <Suspense fallback={<Loading />}>
    <Editor {...props} />
  </Suspense>
);
