import './loading.css';
import { shellWords } from './words.ts';

/** In place of what is on its way. It shows after a moment, so that a quick answer does not flicker. */
export const Loading = () => (
  <p className="loading quiet" role="status">
    {shellWords.loading}
  </p>
);
